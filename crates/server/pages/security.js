// Password, phone, and leaving for good.

import { call } from './api.js';
import { codeField, forgetCodes } from './code_field.js';
import { ask, toast } from './dialog.js';
import { h } from './dom.js';
import { field, form } from './forms.js';
import { resetForm } from './sign_in.js';
import { t } from './i18n.js';

export function securitySection(site) {
  return [passwordCard(site), phoneCard(site), deleteCard(site)];
}

function card(title, text, ...content) {
  return h('section', { class: 'card' }, h('h2', {}, title), h('p', { class: 'hint' }, text), content);
}

function passwordCard({ me, left }) {
  // Without a phone there is nothing to sign in with by password.
  if (!me.has_password && !me.phone) return null;
  if (!me.has_password) return card(t('sec.password.set'), t('sec.password.none'), resetForm(() => left(t('in.reset.done'))).node);
  const made = form({ submit: t('sec.password'), aim: { credentials_wrong: 'old_password', password_weak: 'new_password' },
    fields: [
      field({ name: 'old_password', label: t('password.old'), type: 'password', autocomplete: 'current-password', maxlength: '128' }),
      field({ name: 'new_password', label: t('password.new'), type: 'password', autocomplete: 'new-password', hint: t('password.hint'), maxlength: '128' }),
    ],
    run: async (body) => {
      await call('POST', '/me/password', { body });
      made.reset();
      toast(t('sec.password.done'));
    } });
  return card(t('sec.password'), t('sec.password.text'), made.node);
}

/** A code to the number the account has. */
const myCode = (name, label, report) =>
  codeField({ name, label, memory: () => 'mine', report, send: () => ({ path: '/me/codes', body: {} }) });

function phoneCard({ me, refresh }) {
  if (!me.phone) return card(t('sec.phone'), t('sec.phone.none'));
  const oldCode = myCode('old_code', t('sec.phone.old'), () => (error) => made.report(Object.assign(error, { code: 'old_code_send' })));
  const phone = field({ name: 'new_phone', label: t('sec.phone.new'), type: 'tel', inputmode: 'tel', autocomplete: 'off', hint: t('phone.hint') });
  const newCode = codeField({ name: 'new_code', label: t('sec.phone.newcode'), memory: () => `new ${phone.read()}`, report: () => made.report, send: () => {
    if (phone.missing()) {
      phone.complain(phone.missing());
      phone.focus();
      return null;
    }
    phone.clear();
    return { path: '/me/codes', body: { new_phone: phone.read() } };
  } });
  phone.input.addEventListener('input', newCode.again);
  const made = form({ fields: [oldCode, phone, newCode], submit: t('sec.phone'),
    // The server calls every number `phone`, and a code sent too often says nothing of which field asked.
    aim: { phone: 'new_phone', phone_taken: 'new_phone', phone_unchanged: 'new_phone', code_too_soon: 'new_code',
      code_daily_cap: 'new_code', old_code_send: 'old_code' },
    run: async (body) => {
      await call('POST', '/me/phone', { body });
      forgetCodes();
      toast(t('sec.phone.done'));
      await refresh();
    } });
  return card(t('sec.phone'), t('sec.phone.text', { phone: me.phone }), made.node);
}

function deleteCard({ me, left }) {
  const open = async () => {
    // A problem with sending the code belongs at the code: it is the only field.
    const code = me.phone && myCode('code', t('sec.phone.old'), () => (error) => code.complain(error.title ?? error.message));
    const done = await ask({ title: t('sec.delete.title'), text: t('sec.delete.text'), fields: code ? [code] : [], danger: true,
      submit: t('sec.delete.do'), aim: { code_wrong: 'code', code_spent: 'code' },
      run: (body) => call('POST', '/me/delete', { body }) });
    if (done) left(t('sec.delete.done'));
  };
  return card(t('sec.delete'), t('sec.delete.text'),
    h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'secondary warn', onclick: open }, t('sec.delete.open'))));
}
