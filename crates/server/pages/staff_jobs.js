// Jobs: when they ran, when they run next; admins pause, resume and run them.

import { call, get } from './api.js';
import { ask, toast } from './dialog.js';
import { h } from './dom.js';
import { action, badge, emptyNote, loaded, row, table, when } from './listing.js';
import { named, number, t } from './i18n.js';

const KINDS = { done: 'good', more: 'accent', failed: 'bad' };

export function jobsSection({ admin, signal }) {
  const columns = [
    [t('job.name'), (job) => [h('b', { class: 'mono' }, job.name), ' ', job.paused && badge(t('job.paused'), 'bad'), job.holder && badge(t('job.running'), 'accent')]],
    [t('job.schedule'), (job) => h('span', { class: 'mono' }, job.schedule)],
    [t('job.due'), (job) => (job.paused ? t('none') : when(job.next_due_ms))],
    [t('job.last'), (job) => lastRun(job)],
    ...(admin ? [['', (job) => actions(job, () => listed.reload())]] : []),
  ];
  const listed = loaded(() => get('/admin/jobs', signal), ({ items }) => (items.length
    ? table(columns, h('tbody', { role: 'rowgroup' }, items.map((job) => row(columns, job))))
    : emptyNote(t('job.empty'))));
  return [h('p', { class: 'hint' }, t('job.zone')), listed.node,
    h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'secondary', onclick: () => listed.reload() }, t('refresh')))];
}

function lastRun(job) {
  const run = job.last_run;
  if (!run) return t('job.never');
  // Without an outcome it either runs now or its worker died; only the holder tells which.
  const outcome = run.outcome ?? (job.holder ? null : 'none');
  return [outcome && badge(named('outcome', outcome), KINDS[outcome]), ' ', when(run.started_ms),
    run.outcome && h('small', {}, t('job.handled', { n: number(run.handled), ms: number(run.duration_ms ?? 0) }), run.detail && ` — ${run.detail}`)];
}

function actions(job, reload) {
  const { name } = job;
  const path = `/admin/jobs/${encodeURIComponent(name)}`;
  const pause = async () => {
    const done = await ask({ title: t('job.pause.title', { name }), text: t('job.pause.text'), submit: t('job.pause'), danger: true,
      run: () => call('PATCH', path, { body: { paused: true } }) });
    if (done) { toast(t('job.pause.done', { name })); await reload(); }
  };
  const plainly = (send, key) => async ({ currentTarget: button }) => {
    if (button.classList.contains('busy')) return;
    button.classList.add('busy');
    try {
      await send();
      toast(t(key, { name }));
      await reload();
    } catch (error) {
      toast(error.title ?? error.message);
    } finally {
      button.classList.remove('busy');
    }
  };
  return [action(t('job.run'), plainly(() => call('POST', `${path}/run`), 'job.run.done')),
    job.paused ? action(t('job.resume'), plainly(() => call('PATCH', path, { body: { paused: false } }), 'job.resume.done'))
      : action(t('job.pause'), pause, 'warn')];
}
