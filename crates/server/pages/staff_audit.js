// The audit log: who did what to what, with the state before and after.

import { h } from './dom.js';
import { field } from './forms.js';
import { actor, pages, when } from './listing.js';
import { t } from './i18n.js';

export function auditSection({ me, signal }) {
  const action = field({ name: 'action', label: t('aud.action'), type: 'search', optional: true, autocomplete: 'off' });
  const subject = field({ name: 'subject', label: t('aud.subject'), type: 'search', optional: true, autocomplete: 'off' });
  const columns = [
    [t('aud.when'), (row) => when(row.at_ms)],
    [t('aud.who'), (row) => actor(row.actor, me)],
    [t('aud.what'), (row) => [h('b', { class: 'mono' }, row.action), row.reason && h('small', {}, row.reason)]],
    [t('aud.on'), (row) => h('span', { class: 'mono break' }, row.subject)],
    [t('aud.change'), (row) => change(row)],
  ];
  const listed = pages({ path: '/admin/audit', columns, empty: t('aud.empty'), signal,
    parts: () => ({ action: action.read(), subject: subject.read() }) });
  const filter = (event) => {
    event.preventDefault();
    listed.reload();
  };
  return [h('form', { class: 'filter', role: 'search', novalidate: true, onsubmit: filter }, action.node, subject.node,
    h('button', { class: 'secondary' }, t('aud.filter'))), listed.node];
}

function change(row) {
  const part = (label, value) => value !== null && value !== undefined
    && [h('span', { class: 'hint' }, label), h('pre', {}, JSON.stringify(value, null, 1))];
  return h('details', {}, h('summary', {}, summary(row)), part(t('aud.before'), row.before), part(t('aud.after'), row.after),
    h('small', {}, t('request', { id: row.request_id })));
}

/** The names of what differs, so that a row says something while closed. */
function summary({ before, after }) {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const differing = [...names].filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  return differing.join(', ') || t('none');
}
