// The names of what several journeys press and fill, in both languages: a journey finds things as people do, by role and name.
export const NAMES = {
  byPassword: /^(By password|密码登录)$/,
  close: /^(Close|关闭)$/,
  code: /^(Code|验证码)$/,
  password: /^(Password|密码)$/,
  phone: /^(Phone|手机号)$/,
  sendCode: /^(Send code|获取验证码)$/,
  signIn: /^(Sign in|登录)$/,
  signOut: /^(Sign out|退出)$/,
};
