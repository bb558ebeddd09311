// Words that players' pages and console share.
export default {
  'app.name': 'Windfall',
  'language.other': '中文',
  'language.switch': 'Switch to Chinese',
  'theme.auto': 'Same as device',
  'theme.light': 'Light',
  'theme.dark': 'Dark',
  'theme.label': 'Colours',
  'error.title': 'That did not work',
  'error.lost': 'No connection to the server. This page goes on by itself as soon as there is one.',
  'error.signIn': 'You are not signed in, or not any more. Sign in to go on.',
  'error.request': 'Request {{id}}',
  'error.retry': 'Try again',
  'error.page': 'Something on this page broke.',
  'error.reload': 'Load the page again',
  loading: 'Loading…',
};
