// The start page for somebody not signed in: what this is, and four ways in.

import { call } from './api.js';
import { codeField, forgetCodes } from './code_field.js';
import { toast } from './dialog.js';
import { fill, h, heading } from './dom.js';
import { field, form } from './forms.js';
import { scene } from './scene.js';
import { t } from './i18n.js';

const TABS = ['code', 'password', 'register', 'reset'];

// What was typed stays when the tab or the language changes; passwords and codes do not.
const memory = { tab: 'code', phone: '', name: '' };

/** Once somebody is in, or has left, the next person starts with empty fields. */
export function forgetTyped() {
  Object.assign(memory, { phone: '', name: '' });
  forgetCodes();
}

/** `entered` is called once the cookie is set; `notice` says why the reader is here, when there is a reason. */
export function signInPage({ entered, notice }) {
  return h('div', { class: 'welcome' },
    h('section', { class: 'hero' }, heading(1, t('hero')), h('p', {}, t('hero.sub')), scene()),
    signInCard(entered, notice));
}

function signInCard(entered, notice) {
  const panel = h('div', { role: 'tabpanel', id: 'way', class: 'panel' });
  const makers = { code: byCode, password: byPassword, register, reset };
  const buttons = TABS.map((name) => h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'way',
    onclick: () => select(name), onkeydown: (event) => step(event, name) }, t(`in.tab.${name}`)));

  function select(name) {
    memory.tab = name;
    buttons.forEach((button, at) => {
      const on = TABS[at] === name;
      button.setAttribute('aria-selected', String(on));
      button.tabIndex = on ? 0 : -1;
    });
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    fill(panel, makers[name](entered, () => { select('password'); }).node);
  }

  function step(event, name) {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    event.preventDefault();
    const next = (TABS.indexOf(name) + move + TABS.length) % TABS.length;
    select(TABS[next]);
    buttons[next].focus();
  }

  select(memory.tab);
  return h('section', { class: 'card sign-in', 'aria-labelledby': 'sign-in-title' },
    h('h2', { id: 'sign-in-title' }, t('in.title')),
    notice && h('p', { class: 'note', role: 'status' }, notice),
    h('div', { role: 'tablist', class: 'tabs', 'aria-label': t('in.tabs') }, buttons), panel);
}

function phoneField() {
  const phone = field({ name: 'phone', label: t('phone'), type: 'tel', autocomplete: 'tel', inputmode: 'tel', maxlength: '40',
    value: memory.phone, hint: t('phone.hint') });
  phone.input.addEventListener('input', () => { memory.phone = phone.input.value; });
  return phone;
}

/** Phone and code together; the form is made later, so the problem's place is asked for when needed. */
function phoneAndCode(purpose, form) {
  const phone = phoneField();
  const code = codeField({ memory: () => `${purpose} ${phone.read()}`, report: () => form().report, send: () => {
    if (phone.missing()) {
      phone.complain(phone.missing());
      phone.focus();
      return null;
    }
    phone.clear();
    return { path: '/auth/codes', body: { phone: phone.read(), purpose } };
  } });
  phone.input.addEventListener('input', code.again);
  return [phone, code];
}

const CODE_PROBLEMS = { code_wrong: 'code', code_spent: 'code', code_too_soon: 'code', code_daily_cap: 'code',
  phone_taken: 'phone', password_weak: 'password' };

const newPassword = () => field({ name: 'password', label: t('password.new'), type: 'password', autocomplete: 'new-password',
  hint: t('password.hint'), maxlength: '128' });

function byCode(entered) {
  const made = form({ fields: phoneAndCode('sign_in', () => made), submit: t('in.submit'), keyed: true, aim: CODE_PROBLEMS,
    after: h('p', { class: 'hint' }, t('in.code.note')),
    run: async (body, key) => { await call('POST', '/auth/sign-in/code', { body, key }); await entered(); } });
  return made;
}

function byPassword(entered) {
  const password = field({ name: 'password', label: t('password'), type: 'password', autocomplete: 'current-password', maxlength: '128' });
  return form({ fields: [phoneField(), password], submit: t('in.submit'), keyed: true, aim: { credentials_wrong: 'password' },
    run: async (body, key) => { await call('POST', '/auth/sign-in/password', { body, key }); await entered(); } });
}

function register(entered) {
  const name = field({ name: 'name', label: t('name'), autocomplete: 'nickname', hint: t('name.hint'), maxlength: '40', value: memory.name });
  name.input.addEventListener('input', () => { memory.name = name.input.value; });
  const made = form({ fields: [...phoneAndCode('register', () => made), name, newPassword()], submit: t('in.register'), keyed: true,
    aim: CODE_PROBLEMS,
    run: async (body, key) => { await call('POST', '/auth/register', { body, key }); await entered(); } });
  return made;
}

function reset(_, done) {
  return resetForm(() => {
    toast(t('in.reset.done'));
    done();
  });
}

/** Also how somebody who has only ever signed in by code gets a first password. */
export function resetForm(done) {
  const made = form({ fields: [...phoneAndCode('reset_password', () => made), newPassword()], submit: t('in.reset'), aim: CODE_PROBLEMS,
    before: h('p', { class: 'hint' }, t('in.reset.note')),
    run: async (body) => { await call('POST', '/auth/password/reset', { body }); await done(); } });
  return made;
}
