// People, as staff see them; what changes them is for admins.

import { call } from './api.js';
import { ask, toast } from './dialog.js';
import { h } from './dom.js';
import { boxes, field, tick } from './forms.js';
import { action, badge, pages } from './listing.js';
import { day, moment, named, t } from './i18n.js';

const ROLES = ['operator', 'reviewer', 'admin'];

export function peopleSection({ me, admin, signal }) {
  const by = field({ name: 'by', label: t('ppl.by'), options: ['name', 'phone', 'external_id'].map((name) => [name, t(`ppl.by.${name}`)]) });
  const text = field({ name: 'text', label: t('ppl.text'), type: 'search', optional: true, autocomplete: 'off' });
  const role = field({ name: 'role', label: t('ppl.role'), options: [['', t('ppl.any')], ...ROLES.map((name) => [name, t(`role.${name}`)])] });
  const banned = tick({ name: 'banned', label: t('ppl.banned') });
  const columns = [
    [t('name'), (user) => [h('b', {}, user.name), ' ', state(user), h('small', {}, user.id)]],
    [t('phone'), (user) => h('span', { class: 'whole' }, user.phone ?? user.external_id ?? t('none'))],
    [t('me.roles'), (user) => user.roles.map((name) => badge(named('role', name), name === 'player' ? '' : 'accent'))],
    [t('ppl.since'), (user) => h('span', { class: 'whole' }, day(user.sign_up_day))],
    ...(admin ? [['', (user) => !user.deleted && actions(user, me, () => listed.reload())]] : []),
  ];
  const listed = pages({ path: '/admin/users', columns, empty: t('ppl.empty'), signal,
    parts: () => ({ [by.read()]: text.read(), role: role.read(), banned: banned.read() }) });
  const search = (event) => {
    event.preventDefault();
    listed.reload();
  };
  return [h('form', { class: 'filter', role: 'search', novalidate: true, onsubmit: search }, by.node, text.node, role.node, banned.node,
    h('button', { class: 'secondary' }, t('ppl.search'))), listed.node];
}

function state(user) {
  if (user.deleted) return badge(t('ppl.is_deleted'));
  if (!user.ban) return null;
  const text = user.ban.until_ms ? t('ppl.banned_until', { when: moment(user.ban.until_ms) }) : t('ppl.is_banned');
  return h('span', { class: 'badge bad', title: user.ban.reason }, text);
}

function actions(user, me, reload) {
  const { name } = user;
  const after = async (done, key) => {
    if (done) { toast(t(key, { name })); await reload(); }
  };
  const lift = async () => after(await ask({ title: t('ppl.lift.title', { name }), text: t('ppl.lift.text'), submit: t('ppl.lift.do'),
    run: () => call('DELETE', `/admin/users/${user.id}/ban`) }), 'ppl.lift.done');
  const out = async () => after(await ask({ title: t('ppl.out.title', { name }), text: t('ppl.out.text'), submit: t('out'), danger: true,
    run: () => call('POST', `/admin/users/${user.id}/sign-out`) }), 'ppl.out.done');
  const ban = async () => after(await askBan(user), 'ppl.ban.done');
  const roles = async () => after(await askRoles(user), 'ppl.roles.done');
  return [action(t('ppl.roles'), roles), user.id !== me.id && action(t('ppl.out'), out),
    user.ban ? action(t('ppl.lift'), lift) : user.id !== me.id && action(t('ppl.ban'), ban, 'warn')];
}

function askBan(user) {
  const until = field({ name: 'until', label: t('ppl.ban.until'), type: 'datetime-local', optional: true });
  // A half-typed date reads as empty, and an empty one would ban for good.
  const missing = () => (until.input.validity.badInput ? t('date.bad') : null);
  return ask({ title: t('ppl.ban.title', { name: user.name }), text: t('ppl.ban.text'), submit: t('ppl.ban.do'), danger: true,
    fields: [field({ name: 'reason', label: t('reason') }), { ...until, missing }], aim: { until_ms: 'until' },
    run: (given) => {
      const body = { reason: given.reason };
      if (given.until) body.until_ms = new Date(given.until).getTime();
      return call('PUT', `/admin/users/${user.id}/ban`, { body });
    } });
}

function askRoles(user) {
  const wanted = boxes({ name: 'roles', label: t('me.roles'), options: ROLES.map((name) => [name, t(`role.${name}`)]), ticked: user.roles });
  return ask({ title: t('ppl.roles.title', { name: user.name }), text: t('ppl.roles.text'), submit: t('ppl.roles.do'), keyed: true,
    fields: [wanted, field({ name: 'reason', label: t('reason') })],
    run: (body, key) => call('POST', `/admin/users/${user.id}/roles`, { body, key }) });
}
