// My account: who I am, where my prizes go, and where I am signed in.

import { call, get } from './api.js';
import { ask, toast } from './dialog.js';
import { h } from './dom.js';
import { field, tick } from './forms.js';
import { action, badge, emptyNote, loaded, when } from './listing.js';
import { day, named, number, t } from './i18n.js';

export function accountSection({ me, refresh }) {
  const rename = async () => {
    const name = field({ name: 'name', label: t('name'), value: me.name, maxlength: '40', hint: t('name.hint'), autocomplete: 'nickname' });
    const done = await ask({ title: t('me.rename'), fields: [name], submit: t('save'),
      run: (body) => call('PATCH', '/me', { body }) });
    if (done) { toast(t('saved')); await refresh(); }
  };
  const rows = [
    [t('phone'), me.phone ?? t('none')],
    [t('me.level'), number(me.level)],
    [t('me.since'), day(me.sign_up_day)],
    [t('me.roles'), me.roles.map((role) => badge(named('role', role), role === 'player' ? '' : 'accent'))],
    me.external_id && [t('me.external'), me.external_id],
  ].filter(Boolean);
  return h('div', { class: 'card profile' },
    h('div', { class: 'who' }, avatar(me), h('div', {}, h('p', { class: 'name' }, me.name), h('p', { class: 'hint' }, `ID ${me.id}`)),
      h('button', { type: 'button', class: 'secondary', onclick: rename }, t('me.rename'))),
    h('dl', {}, rows.map(([label, value]) => h('div', {}, h('dt', {}, label), h('dd', {}, value)))));
}

function avatar(me) {
  // By code point, so that a name beginning with a rare character is not cut in half.
  const first = Array.from(me.name.trim())[0] ?? '?';
  return me.avatar
    ? h('img', { class: 'avatar', src: me.avatar, alt: '', width: 56, height: 56, referrerpolicy: 'no-referrer' })
    : h('span', { class: 'avatar', 'aria-hidden': 'true' }, first.toUpperCase());
}

export function addressesSection({ signal }) {
  const listed = loaded(() => get('/me/addresses', signal), ({ items }) => (items.length
    ? h('ul', { class: 'cards' }, items.map((address) => addressCard(address, listed)))
    : emptyNote(t('addr.empty'), t('addr.empty.text'))));
  const add = () => editAddress(null, listed);
  return [listed.node, h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', onclick: add }, t('addr.add')))];
}

function addressCard(address, listed) {
  const place = `${address.region} ${address.street}`;
  const { id, ...given } = address;
  const makeDefault = async () => {
    const done = await ask({ title: t('addr.make_default'), text: place, submit: t('addr.make_default'),
      run: () => call('PUT', `/me/addresses/${id}`, { body: { ...given, default: true } }) });
    if (done) { toast(t('saved')); await listed.reload(); }
  };
  const remove = async () => {
    const done = await ask({ title: t('addr.remove'), text: t('addr.remove.text', { what: place }), submit: t('remove'), danger: true,
      run: () => call('DELETE', `/me/addresses/${id}`) });
    if (done) { toast(t('addr.removed')); await listed.reload(); }
  };
  return h('li', { class: 'card' },
    h('p', { class: 'name' }, address.recipient, ' ', address.default && badge(t('addr.default'), 'accent')),
    h('p', {}, place), h('p', { class: 'hint' }, [address.phone, address.postcode].filter(Boolean).join(' · ')),
    h('div', { class: 'row-actions' }, action(t('edit'), () => editAddress(address, listed)),
      !address.default && action(t('addr.make_default'), makeDefault), action(t('remove'), remove, 'warn')));
}

async function editAddress(address, listed) {
  const from = address ?? { recipient: '', phone: '', region: '', street: '', postcode: '', default: false };
  const fields = [
    field({ name: 'recipient', label: t('addr.recipient'), value: from.recipient, autocomplete: 'name' }),
    field({ name: 'phone', label: t('phone'), value: from.phone, type: 'tel', inputmode: 'tel', autocomplete: 'tel' }),
    field({ name: 'region', label: t('addr.region'), value: from.region, hint: t('addr.region.hint') }),
    field({ name: 'street', label: t('addr.street'), value: from.street, autocomplete: 'street-address' }),
    field({ name: 'postcode', label: t('addr.postcode'), value: from.postcode, autocomplete: 'postal-code', optional: true }),
    tick({ name: 'default', label: t('addr.use_default'), checked: from.default }),
  ];
  const run = (body, key) => (address
    ? call('PUT', `/me/addresses/${address.id}`, { body })
    : call('POST', '/me/addresses', { body, key }));
  const done = await ask({ title: t(address ? 'addr.edit' : 'addr.add'), fields, submit: t('save'), run, keyed: true });
  if (done) { toast(t('saved')); await listed.reload(); }
}

export function sessionsSection({ signal, left }) {
  const listed = loaded(() => get('/me/sessions', signal), ({ items }) => {
    const sorted = [...items].sort((a, b) => b.current - a.current || b.seen_ms - a.seen_ms);
    return h('ul', { class: 'cards' }, sorted.map((session) => sessionCard(session, listed)));
  });
  const everywhere = async () => {
    const done = await ask({ title: t('ses.all'), text: t('ses.all.text'), submit: t('ses.all'), danger: true,
      run: () => call('POST', '/auth/sign-out-everywhere') });
    if (done) left(t('out.done'));
  };
  return [listed.node, h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'secondary warn', onclick: everywhere }, t('ses.all')))];
}

function sessionCard(session, listed) {
  const device = deviceName(session.agent);
  const end = async () => {
    const done = await ask({ title: t('ses.end.title'), text: t('ses.end.text', { what: device }), submit: t('ses.end'), danger: true,
      run: () => call('DELETE', `/me/sessions/${session.id}`) });
    if (done) { toast(t('ses.ended')); await listed.reload(); }
  };
  return h('li', { class: 'card' },
    h('p', { class: 'name', title: session.agent }, device, ' ', session.current && badge(t('ses.this'), 'accent')),
    h('p', {}, t('ses.seen'), ' ', when(session.seen_ms), ' ', t('ses.from', { address: session.address })),
    h('p', { class: 'hint' }, t('ses.started'), ' ', when(session.started_ms)),
    !session.current && h('div', { class: 'row-actions' }, action(t('ses.end'), end, 'warn')));
}

// Good enough to tell one's own devices apart; the whole description is in the title.
function deviceName(agent) {
  const first = (pairs) => pairs.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = first([[/MicroMessenger/, 'WeChat'], [/Edg/, 'Edge'], [/OPR/, 'Opera'], [/Firefox/, 'Firefox'],
    [/HeadlessChrome|Chrome/, 'Chrome'], [/Safari/, 'Safari'], [/curl/, 'curl']]);
  const system = first([[/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/Windows/, 'Windows'], [/Mac OS/, 'macOS'], [/Linux/, 'Linux']]);
  if (browser && system) return t('agent.on', { browser, system });
  return browser ?? system ?? (agent.slice(0, 40) || t('agent.unknown'));
}
