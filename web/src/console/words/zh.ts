export default {
  'console.title': 'Windfall 控制台',
  'console.signIn': '登录',
  'console.signInText': '控制台供运营、审核和管理员使用，请先登录。',
};
