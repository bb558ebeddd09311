export default {
  'console.title': 'Windfall console',
  'console.signIn': 'Sign in',
  'console.signInText': 'The console is for operators, reviewers and admins. Sign in to go on.',
};
