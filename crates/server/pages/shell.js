// What stands around every page: header, footer, language switch, and the note about a lost connection.

import { tryNow, watchers } from './api.js';
import { toast } from './dialog.js';
import { byId, fill, h, mark } from './dom.js';
import { choose, other, t } from './i18n.js';

/** `changed` draws the page again after the language was switched; `extra` are more buttons for the header. */
export function shell(changed, ...extra) {
  const next = other();
  const turn = () => {
    choose(next.lang);
    changed();
    byId('lang').focus();
  };
  fill(byId('skip'), t('skip'));
  fill(byId('top'), h('a', { class: 'brand', href: '/' }, mark(32), h('span', {}, 'Windfall')),
    h('div', { class: 'tools' }, h('a', { class: 'tool', href: '/docs' }, t('docs')),
      h('button', { type: 'button', id: 'lang', class: 'tool', lang: next.tag, title: t('lang.switch', { name: next.label }), onclick: turn }, next.label),
      extra));
  fill(byId('foot'), h('span', {}, 'Windfall'), h('a', { href: '/docs' }, t('docs.long')));
}

/** The skip link must not reach the sections' own addresses after the #. */
export function skipLink() {
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('main').focus();
  });
}

let known = null;

watchers.link = ({ lost, left }) => {
  const banner = byId('banner');
  if (!lost) {
    banner.hidden = true;
    known = null;
    toast(t('lost.back'));
    return;
  }
  // Only the countdown changes each second; drawn anew it would be read aloud each second, too.
  if (!known) {
    known = { why: h('b', {}), next: h('span', { 'aria-hidden': 'true' }) };
    fill(banner, known.why, ' ', known.next, ' ', h('button', { type: 'button', class: 'small', onclick: tryNow }, t('lost.try')));
    banner.hidden = false;
  }
  const why = t(navigator.onLine ? 'lost.server' : 'lost.offline');
  if (known.why.textContent !== why) known.why.textContent = why;
  known.next.textContent = left > 0 ? t('lost.next', { s: left }) : t('lost.now');
};
