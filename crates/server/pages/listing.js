// Lists from the server: loading, empty and failed states, cursor pages, and tables that become cards on a phone.

import { Left, get, query } from './api.js';
import { fill, h } from './dom.js';
import { problemBox } from './forms.js';
import { exactMoment, moment, t } from './i18n.js';

/** Shows what `load` answers, or why it did not. Answers a node and a way to load again. */
export function loaded(load, draw) {
  const node = h('div', { class: 'loaded', 'aria-busy': 'true', tabindex: '-1' });
  const reload = async () => {
    node.setAttribute('aria-busy', 'true');
    if (!node.children.length) fill(node, skeleton());
    try {
      const answer = await load();
      const inside = node.contains(document.activeElement);
      fill(node, draw(answer));
      // The button that led here was drawn anew; its reader must not be thrown back to the top of the page.
      if (inside) node.focus({ preventScroll: true });
    } catch (error) {
      if (error instanceof Left) return;
      const box = problemBox();
      box.show(error);
      fill(node, box.node, h('button', { type: 'button', class: 'secondary', onclick: reload }, t('again')));
    }
    node.setAttribute('aria-busy', 'false');
  };
  reload();
  return { node, reload };
}

function skeleton() {
  return h('div', { class: 'skeleton', role: 'status' }, h('span', { class: 'hidden' }, t('loading')),
    h('i', {}), h('i', {}), h('i', {}));
}

/** A table fed by cursor pages. `columns` are [label, draw(item)]; an empty label is the column of actions. */
export function pages({ path, parts, columns, empty, signal }) {
  const ask = (after) => get(query(path, { limit: 20, ...parts(), after }), signal);
  return loaded(() => ask(), (first) => {
    if (!first.items.length) return emptyNote(empty);
    const body = h('tbody', { role: 'rowgroup' });
    const foot = h('div', { class: 'buttons' });
    const box = problemBox();
    const take = (page) => {
      const at = body.children.length;
      body.append(...page.items.map((item) => row(columns, item)));
      fill(foot, page.next && h('button', { type: 'button', class: 'secondary', onclick: (event) => next(event, page.next) }, t('more')));
      // Whoever pressed "more" goes on reading at the first new row.
      if (at) { body.children[at].tabIndex = -1; body.children[at].focus(); }
    };
    const next = async ({ currentTarget: button }, after) => {
      button.classList.add('busy');
      box.clear();
      try { take(await ask(after)); } catch (error) {
        button.classList.remove('busy');
        if (!(error instanceof Left)) box.show(error);
      }
    };
    take(first);
    return [table(columns, body), box.node, foot];
  });
}

// Roles are spelled out because a table laid out as cards loses them otherwise.
export function table(columns, body) {
  return h('div', { class: 'wide' }, h('table', { role: 'table' },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' },
      columns.map(([label]) => h('th', { role: 'columnheader', scope: 'col' }, label || h('span', { class: 'hidden' }, t('and_more')))))),
    body));
}

export function row(columns, item) {
  return h('tr', { role: 'row' }, columns.map(([label, draw]) =>
    h('td', { role: 'cell', 'data-label': label || null, class: label ? null : 'actions' }, h('div', {}, draw(item)))));
}

export function emptyNote(text, more) {
  return h('div', { class: 'empty' }, h('p', {}, text), more && h('p', { class: 'hint' }, more));
}

/** A moment, exact in its title; a dash when there is none. */
export function when(ms) {
  if (ms === null || ms === undefined) return t('none');
  return h('time', { datetime: new Date(ms).toISOString(), title: exactMoment(ms) }, moment(ms));
}

export const badge = (text, kind = '') => h('span', { class: `badge ${kind}` }, text);

export const action = (label, onclick, kind = '') => h('button', { type: 'button', class: `small ${kind}`, onclick }, label);

/** Somebody who acted, as far as this page knows them. */
export function actor({ kind, id }, me) {
  return kind === 'person' && id === me.id ? t('actor.me') : t(`actor.${kind}`, { id: id ?? '' });
}
