// 玩家页面与控制台共用的文字。
export default {
  'app.name': 'Windfall',
  'language.other': 'English',
  'language.switch': '切换到英文',
  'theme.auto': '跟随设备',
  'theme.light': '浅色',
  'theme.dark': '深色',
  'theme.label': '配色',
  'error.title': '操作未成功',
  'error.lost': '暂时连不上服务器，恢复后页面会自动继续。',
  'error.signIn': '请登录后继续。',
  'error.request': '请求编号 {{id}}',
  'error.retry': '重试',
  'error.page': '页面出了点问题。',
  'error.reload': '重新加载',
  loading: '加载中…',
};
