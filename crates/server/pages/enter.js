// Redeems the one-time sign-in link in this page's address, then goes to the start page.

import { Unsure, call } from './api.js';
import { byId, fill, h, heading, mark } from './dom.js';
import { shell, skipLink } from './shell.js';
import { t } from './i18n.js';

// The token leaves the address bar before anything else: it must not stay in the history or reach a screenshot.
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);

let show = working;

function draw() {
  shell(draw);
  show();
}

function card(title, ...content) {
  const head = heading(1, title);
  fill(byId('main'), h('section', { class: 'card entry' }, mark(56), head, content));
  return head;
}

function working() {
  card(t('enter.title'), h('p', { class: 'hint', role: 'status' }, t('wait')), h('div', { class: 'bar', 'aria-hidden': 'true' }));
}

function ended(title, text, small) {
  show = () => card(t(title), h('p', { role: 'alert' }, text()), small && h('p', {}, h('small', {}, small())),
    h('div', { class: 'buttons' }, h('a', { class: 'button primary', href: '/' }, t('enter.home')))).focus();
  draw();
}

async function enter() {
  draw();
  if (!token) return ended('enter.none', () => t('enter.none.text'));
  try {
    await call('POST', '/auth/links/redeem', { body: { token } });
    location.replace('/');
  } catch (error) {
    if (error instanceof Unsure) return ended('enter.failed', () => t('enter.unsure'));
    ended(error.code === 'link_spent' ? 'enter.spent' : 'enter.failed', () => error.title,
      error.requestId && (() => t('request', { id: error.requestId })));
  }
}

skipLink();
enter();
