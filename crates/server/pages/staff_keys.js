// API keys: made with scopes, shown once, rotated with an overlap, revoked at once.

import { call, get } from './api.js';
import { ask, frame, toast } from './dialog.js';
import { freshId, h } from './dom.js';
import { boxes, field } from './forms.js';
import { action, badge, emptyNote, loaded, row, table, when } from './listing.js';
import { moment, t } from './i18n.js';

const SCOPES = ['play', 'inventory', 'fulfil', 'facts', 'read', 'admin'];

export function keysSection({ signal }) {
  const columns = [
    [t('key.name'), (key) => [h('b', {}, key.name), h('small', {}, key.id)]],
    [t('key.scopes'), (key) => key.scopes.map((scope) => badge(scope))],
    [t('apr.state'), (key) => state(key)],
    [t('key.created'), (key) => when(key.created_ms)],
    [t('key.used'), (key) => (key.last_used_ms ? when(key.last_used_ms) : t('key.never'))],
    ['', (key) => !key.revoked_ms && actions(key, () => listed.reload())],
  ];
  const listed = loaded(() => get('/admin/keys', signal), ({ items }) => (items.length
    ? table(columns, h('tbody', { role: 'rowgroup' }, items.map((key) => row(columns, key))))
    : emptyNote(t('key.empty'))));
  const add = () => create(() => listed.reload());
  return [listed.node, h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', onclick: add }, t('key.add')))];
}

function state(key) {
  if (key.revoked_ms) return [badge(t('key.revoked'), 'bad'), h('small', {}, when(key.revoked_ms))];
  const overlap = key.previous_until_ms > Date.now() && h('small', {}, t('key.overlap', { when: moment(key.previous_until_ms) }));
  return [badge(t('key.active'), 'good'), overlap];
}

async function create(reload) {
  let made, name;
  const done = await ask({ title: t('key.add'), text: t('key.add.text'), submit: t('key.add.do'), keyed: true,
    fields: [field({ name: 'name', label: t('key.name'), autocomplete: 'off' }),
      boxes({ name: 'scopes', label: t('key.scopes'), options: SCOPES.map((scope) => [scope, t(`scope.${scope}`)]), needsOne: true })],
    run: async (body, key) => { name = body.name; made = await call('POST', '/admin/keys', { body, key }); } });
  if (done) { showSecret(made.secret, name); await reload(); }
}

function actions(key, reload) {
  const { name, id } = key;
  const rotate = async () => {
    let made;
    const hours = field({ name: 'overlap_hours', label: t('key.rotate.hours'), type: 'number', min: '0', max: '720', value: '24', inputmode: 'numeric' });
    const done = await ask({ title: t('key.rotate.title', { name }), text: t('key.rotate.text'), submit: t('key.rotate.do'), keyed: true,
      fields: [hours], run: async (given, once) => {
        made = await call('POST', `/admin/keys/${id}/rotate`, { body: { overlap_hours: Number(given.overlap_hours) }, key: once });
      } });
    if (done) { showSecret(made.secret, name); await reload(); }
  };
  const revoke = async () => {
    const done = await ask({ title: t('key.revoke.title', { name }), text: t('key.revoke.text'), submit: t('key.revoke.do'), danger: true,
      run: () => call('DELETE', `/admin/keys/${id}`) });
    if (done) { toast(t('key.revoke.done')); await reload(); }
  };
  return [action(t('key.rotate'), rotate), action(t('key.revoke'), revoke, 'warn')];
}

function showSecret(secret, name) {
  const id = freshId('secret');
  const input = h('textarea', { id, class: 'secret', readonly: true, rows: '3', spellcheck: 'false', value: secret, onfocus: () => input.select() });
  const said = h('p', { class: 'hint', role: 'status' });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      said.textContent = t('key.copied');
    } catch {
      // No clipboard on plain http: the reader copies what is selected.
      input.select();
      said.textContent = t('key.copy.failed');
    }
  };
  const copyButton = h('button', { type: 'button', class: 'primary', onclick: copy }, t('key.copy'));
  const dialog = frame(t('key.secret.title'), t('key.secret.text'),
    h('div', { class: 'field' }, h('label', { for: id }, t('key.secret', { name })), input, said),
    h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'secondary', onclick: () => dialog.close() }, t('key.kept')), copyButton));
  // Escape would lose the secret by a slip; the button says it was stored.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  // Browsers let a second Escape through unless the key itself is stopped.
  dialog.addEventListener('keydown', (event) => event.key === 'Escape' && event.preventDefault());
  copyButton.focus();
}
