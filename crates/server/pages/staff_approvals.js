// What needs a second person: everybody on the staff sees it, admins decide it.

import { call } from './api.js';
import { ask, toast } from './dialog.js';
import { h } from './dom.js';
import { field } from './forms.js';
import { action, actor, badge, pages, when } from './listing.js';
import { list, named, t } from './i18n.js';

const KINDS = { waiting: 'accent', approved: 'good', refused: 'bad', withdrawn: '' };

export function approvalsSection({ me, admin, signal }) {
  const state = field({ name: 'state', label: t('apr.state'),
    options: [['waiting', t('state.waiting')], ['', t('apr.all')], ...['approved', 'refused', 'withdrawn'].map((name) => [name, t(`state.${name}`)])] });
  state.input.addEventListener('change', () => listed.reload());
  const columns = [
    [t('apr.request'), (row) => [wish(row.request), h('small', {}, row.reason)]],
    [t('apr.state'), (row) => badge(named('state', row.state), KINDS[row.state])],
    [t('apr.asked'), (row) => [actor(row.asked_by, me), h('small', {}, when(row.asked_at_ms))]],
    [t('apr.decided'), (row) => (row.decided_by
      ? [actor(row.decided_by, me), h('small', {}, when(row.decided_at_ms), ' ', row.decision_reason)] : t('none'))],
    ...(admin ? [['', (row) => row.state === 'waiting' && actions(row, me, () => listed.reload())]] : []),
  ];
  const listed = pages({ path: '/admin/approvals', columns, empty: t('apr.empty'), signal, parts: () => ({ state: state.read() }) });
  return [h('div', { class: 'filter' }, state.node), listed.node];
}

function wish(request) {
  // A kind of request newer than this page is still shown whole.
  if (request.kind !== 'set_roles') return JSON.stringify(request);
  // Everybody is a player; it is worth saying only when nothing else is left.
  const more = request.roles.filter((role) => role !== 'player');
  const roles = list((more.length ? more : ['player']).map((role) => named('role', role)));
  return `${t('apr.set_roles', { roles })} ${t('apr.for', { id: request.user_id })}`;
}

function actions(row, me, reload) {
  const decide = (step) => async () => {
    let state;
    const done = await ask({ title: t(`apr.${step}.title`), text: t(`apr.${step}.text`, { what: wish(row.request) }),
      submit: t(`apr.${step}.do`), danger: step === 'refuse', fields: [field({ name: 'reason', label: t('reason.optional'), optional: true })],
      run: async (body) => { ({ state } = await call('POST', `/admin/approvals/${row.id}/${step}`, { body })); } });
    if (done) { toast(t('apr.done', { state: named('state', state) })); await reload(); }
  };
  // Nobody decides their own request, so only what can work is offered.
  const own = row.asked_by.kind === 'person' && row.asked_by.id === me.id;
  return own ? action(t('apr.withdraw'), decide('withdraw'))
    : [action(t('apr.approve'), decide('approve')), action(t('apr.refuse'), decide('refuse'), 'warn')];
}
