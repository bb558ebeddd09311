// The start page: finds out who is here, and shows either the ways in or the sections they may see.

import { accountSection, addressesSection, sessionsSection } from './account.js';
import { Left, Problem, call, get, watchers } from './api.js';
import { closeAll, toast } from './dialog.js';
import { byId, fill, h, heading } from './dom.js';
import { problemBox } from './forms.js';
import { securitySection } from './security.js';
import { shell, skipLink } from './shell.js';
import { forgetTyped, signInPage } from './sign_in.js';
import { approvalsSection } from './staff_approvals.js';
import { auditSection } from './staff_audit.js';
import { jobsSection } from './staff_jobs.js';
import { keysSection } from './staff_keys.js';
import { peopleSection } from './staff_people.js';
import { t } from './i18n.js';

const ADMIN = ['admin'];
const STAFF = ['operator', 'reviewer', 'admin'];
/** Name, what draws it, and who sees it: everybody when nothing is said. The server decides again on its own. */
const SECTIONS = [
  ['account', accountSection], ['addresses', addressesSection], ['sessions', sessionsSection], ['security', securitySection],
  ['people', peopleSection, STAFF], ['approvals', approvalsSection, STAFF], ['keys', keysSection, ADMIN],
  ['jobs', jobsSection, STAFF], ['audit', auditSection, ADMIN],
];

const state = { me: null, notice: null, leaving: new AbortController() };

const mine = () => SECTIONS.filter(([, , roles]) => !roles || roles.some((role) => state.me.roles.includes(role)));

function current() {
  const wanted = location.hash.replace(/^#\/?/, '');
  return mine().find(([name]) => name === wanted) ?? mine()[0];
}

/** Draws everything again. Requests of what is replaced are given up. */
function draw({ focus = true } = {}) {
  state.leaving.abort();
  state.leaving = new AbortController();
  closeAll();
  const main = byId('main');
  if (!state.me) {
    document.title = 'Windfall';
    shell(() => draw({ focus: false }));
    fill(main, signInPage({ entered, notice: state.notice && t(state.notice) }));
    if (focus) scrollTo(0, 0);
    return;
  }
  shell(() => draw({ focus: false }), h('button', { type: 'button', class: 'tool', onclick: signOut }, t('out')));
  const [name, section] = current();
  const title = heading(1, t(`nav.${name}`));
  const site = { me: state.me, admin: state.me.roles.includes('admin'), signal: state.leaving.signal, refresh, left };
  document.title = `${t(`nav.${name}`)} · Windfall`;
  fill(main, h('div', { class: 'inside-page' }, navigation(name), h('div', { class: 'content' }, title, section(site))));
  const here = main.querySelector('nav [aria-current]');
  // The row of sections scrolls sideways on a phone; the one being read should be in sight, without moving the page.
  const row = here.closest('nav');
  row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
  if (focus) {
    title.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

function navigation(name) {
  const link = ([one]) => h('li', {}, h('a', { href: `#/${one}`, 'aria-current': one === name ? 'page' : null }, t(`nav.${one}`)));
  const staff = mine().filter(([, , roles]) => roles);
  return h('nav', { class: 'sections', 'aria-label': t('nav') },
    h('p', {}, t('nav.me')), h('ul', {}, mine().filter(([, , roles]) => !roles).map(link)),
    staff.length > 0 && [h('p', {}, t('nav.staff')), h('ul', {}, staff.map(link))]);
}

async function refresh() {
  state.me = await get('/me');
  draw();
}

async function entered() {
  forgetTyped();
  state.notice = null;
  await refresh();
}

/** The cookie is gone: back to the ways in. */
function left(note) {
  forgetTyped();
  state.me = null;
  history.replaceState(null, '', location.pathname);
  draw();
  byId('main').focus({ preventScroll: true });
  if (note) toast(note);
}

async function signOut({ currentTarget: button }) {
  button.classList.add('busy');
  try {
    await call('POST', '/auth/sign-out');
    state.notice = null;
    left(t('out.done'));
  } catch (error) {
    button.classList.remove('busy');
    toast(error.title ?? error.message);
  }
}

watchers.ended = (problem) => {
  if (!state.me) return;
  state.notice = 'in.ended';
  left(problem.code === 'banned' ? problem.title : null);
};

async function start() {
  shell(start);
  try {
    // Whether a cookie came along is written into the page: asking /me without one would only be refused. The clock
    // is asked for instead, so that a server that is gone shows at once and not when the form is sent.
    if (document.documentElement.dataset.session === 'no') await get('/time');
    else state.me = await get('/me');
  } catch (error) {
    if (error instanceof Left) return;
    if (!(error instanceof Problem) || !['unauthenticated', 'banned'].includes(error.code)) return failed(error);
    state.notice = error.code === 'banned' ? null : 'in.ended';
    if (error.code === 'banned') toast(error.title);
  }
  draw({ focus: false });
}

function failed(error) {
  const box = problemBox();
  fill(byId('main'), h('div', { class: 'card' }, box.node, h('div', { class: 'buttons' },
    h('button', { type: 'button', class: 'primary', onclick: start }, t('again')))));
  box.show(error);
}

addEventListener('hashchange', () => state.me && draw());
// A page kept by the browser may show somebody who has signed out since.
addEventListener('pageshow', (event) => event.persisted && location.reload());
skipLink();
start();
