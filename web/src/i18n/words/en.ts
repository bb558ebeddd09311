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
  'error.lost': 'No connection to the server. This page continues by itself once it is back.',
  'error.signIn': 'Please sign in to continue.',
  'error.request': 'Request {{id}}',
  'error.retry': 'Try again',
  'error.page': 'Something on this page broke.',
  'error.reload': 'Reload the page',
  loading: 'Loading…',
};
