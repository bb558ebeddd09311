// Writing an activity, from nothing or on top of what is there. What is typed is kept here until it is saved; the
// server judges it when it is saved and, wholly, when it is submitted.

import { useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button, Form, Grid, Select, Steps } from 'antd';
import { useCallback, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { api, ask, insist } from '../../api/client';
import { useOnce } from '../../api/once';
import { Problem } from '../../api/problem';
import type { ActivityForm, DetailBody } from '../../api/wire';
import { serverNow } from '../../time/clock';
import { activityKeys } from '../keys';
import { type Draft, draftOf, formOf, newDraft, type Step, stepOf, stepsOf } from '../logic/draft';
import { stillThere } from '../logic/flaws';
import { Title } from '../parts/bits';
import { Shortages } from '../parts/CodesLeft';
import { HOME_ZONE } from '../parts/MomentInput';
import { FlawText, Read, Trouble } from '../parts/states';
import { useGuard } from '../parts/useGuard';
import { useText } from '../text';
import { type Flaw, FlawsOf } from './At';
import { Basics } from './steps/Basics';
import { Goods } from './steps/Goods';
import { Look } from './steps/Look';
import { Odds } from './steps/Odds';
import { Pacing } from './steps/Pacing';
import { Prizes } from './steps/Prizes';
import type { StepProps } from './steps/props';
import { Rules } from './steps/Rules';
import { Selling } from './steps/Selling';
import { Try } from './steps/Try';
import { useActivity } from './useActivity';

const PAGES: Record<Step, (props: StepProps) => React.ReactNode> = {
  basics: Basics,
  prizes: Prizes,
  odds: Odds,
  rules: Rules,
  pacing: Pacing,
  try: Try,
  goods: Goods,
  selling: Selling,
  look: Look,
};

export default function Wizard() {
  const { id } = useParams();
  return id ? <Existing id={id} key={id} /> : <Writing key="new" />;
}

function Existing({ id }: { id: string }) {
  const query = useActivity(id);
  return <Read from={query}>{(detail) => <Writing detail={detail} />}</Read>;
}

/** The version in the making, or what the next one begins with. */
function startOf(detail: DetailBody | undefined): Draft {
  const form = detail?.making?.form ?? detail?.live?.form;
  return form ? draftOf(form) : newDraft(serverNow(), HOME_ZONE);
}

function Writing({ detail: opened }: { detail?: DetailBody }) {
  const { t } = useText();
  const go = useNavigate();
  const client = useQueryClient();
  const { message, modal } = App.useApp();
  const [detail, setDetail] = useState(opened);
  const [draft, setDraft] = useState(() => startOf(opened));
  const [step, setStep] = useState<Step>('basics');
  const [edition, setEdition] = useState(opened?.draft?.edition ?? 0);
  const [changed, setChanged] = useState(!opened);
  const saving = useOnce();
  const submitting = useOnce();
  const [busy, setBusy] = useState<'save' | 'submit'>();
  const [error, setError] = useState<unknown>();
  const [judged, setJudged] = useState<ActivityForm>();
  const all: readonly Flaw[] = error instanceof Problem ? flawsOf(error) : [];
  const flaws = judged ? stillThere(all, judged, formOf(draft)) : all;
  const mended = all.length > 0 && flaws.length === 0;

  const change = useCallback((part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }));
    setChanged(true);
  }, []);

  const dirty = changed && !busy && (detail !== undefined || draft.name !== '' || draft.prizes.length > 0);
  useGuard(dirty, t('wizard.leave'));

  const keep = async (): Promise<DetailBody> => {
    const body = formOf(draft);
    // Sent or pressed again after a lost answer, it is the same save, and not one of an edition that is gone.
    const saved = await saving({ id: detail?.id, edition, body }, (key) => {
      const header = { 'Idempotency-Key': key };
      return detail
        ? insist((signal) =>
            api.PUT('/activities/{id}', {
              params: { path: { id: detail.id }, query: { edition }, header },
              body,
              signal,
            }),
          )
        : insist((signal) => api.POST('/activities', { params: { header }, body, signal }));
    });
    // The address becomes that of the new activity, and the page stays as it is.
    if (!detail)
      window.history.replaceState(window.history.state, '', `/console/activities/${saved.id}/edit`);
    setDetail(saved);
    setEdition(saved.draft?.edition ?? 0);
    setChanged(false);
    client.setQueryData(activityKeys.detail(saved.id), saved);
    void client.invalidateQueries({ queryKey: activityKeys.lists });
    return saved;
  };

  /** Units beyond the codes there are: said before somebody wins what is not there. */
  const enoughCodes = async (saved: DetailBody): Promise<boolean> => {
    const number = saved.draft?.version;
    if (number === undefined) return true;
    const params = { path: { id: saved.id, number } };
    const { codes } = await ask((signal) =>
      api.GET('/activities/{id}/versions/{number}/diff', { params, signal }),
    );
    if (codes.length === 0) return true;
    return await modal.confirm({
      title: t('att.short'),
      content: <Shortages codes={codes} />,
      okText: t('att.submitAnyway'),
      cancelText: t('cancel'),
    });
  };

  const work = async (which: 'save' | 'submit') => {
    setBusy(which);
    setError(undefined);
    try {
      const saved = changed || !detail ? await keep() : detail;
      if (which === 'submit') {
        if (!(await enoughCodes(saved))) return;
        await submitting({ id: saved.id, edition: saved.draft?.edition }, (key) =>
          insist((signal) =>
            api.POST('/activities/{id}/submit', {
              params: { path: { id: saved.id }, header: { 'Idempotency-Key': key } },
              body: {},
              signal,
            }),
          ),
        );
        void client.invalidateQueries({ queryKey: activityKeys.one(saved.id) });
        void message.success(t('wizard.submitted'));
        await go(`/activities/${saved.id}?tab=review`);
        return;
      }
      void message.success(t('saved'));
    } catch (failure) {
      setError(failure);
      setJudged(formOf(draft));
      const first = failure instanceof Problem ? flawsOf(failure)[0] : undefined;
      if (first) setStep(stepOf(first.field));
    } finally {
      setBusy(undefined);
    }
  };

  const steps = stepsOf(draft.kind);
  const at = Math.max(0, steps.indexOf(step));
  const Page = PAGES[step];
  const wrongIn = (name: Step) => flaws.some((flaw) => stepOf(flaw.field) === name);
  return (
    <>
      <Title
        back={
          <Link to={detail ? `/activities/${detail.id}` : '/activities'}>
            ← {detail ? detail.name : t('nav.activities')}
          </Link>
        }
        extra={
          <>
            <Button onClick={() => void work('save')} loading={busy === 'save'} disabled={busy === 'submit'}>
              {t('wizard.save')}
            </Button>
            <Button
              type="primary"
              onClick={() => void work('submit')}
              loading={busy === 'submit'}
              disabled={busy === 'save'}
            >
              {t('wizard.submit')}
            </Button>
          </>
        }
      >
        {detail ? t('wizard.edit') : t('act.new')}
      </Title>
      {detail?.version && !detail.draft && (
        <Alert className="gap-bottom" type="info" showIcon title={t('wizard.next')} />
      )}
      {error !== undefined &&
        !mended &&
        (flaws.length > 0 && error instanceof Problem ? (
          <FlawList error={error} flaws={flaws} show={(field) => setStep(stepOf(field))} />
        ) : (
          <div className="gap-bottom">
            <Trouble error={error} />
          </div>
        ))}
      <StepBar
        at={at}
        steps={steps}
        wrong={steps.map(wrongIn)}
        go={(next) => setStep(steps[next] ?? 'basics')}
      />
      <FlawsOf value={flaws}>
        <Form layout="vertical" component="div">
          <Page draft={draft} change={change} />
        </Form>
      </FlawsOf>
      <div className="row-between gap-top">
        <Button disabled={at === 0} onClick={() => setStep(steps[at - 1] ?? 'basics')}>
          {t('wizard.back')}
        </Button>
        {at < steps.length - 1 && (
          <Button className="next" onClick={() => setStep(steps[at + 1] ?? 'basics')}>
            {t('wizard.on')}
          </Button>
        )}
      </div>
    </>
  );
}

function flawsOf(problem: Problem): Flaw[] {
  if (problem.flaws.length > 0) return [...problem.flaws];
  return problem.field ? [{ field: problem.field, code: problem.code, text: problem.message }] : [];
}

function FlawList({
  error,
  flaws,
  show,
}: {
  error: Problem;
  flaws: readonly Flaw[];
  show: (field: string) => void;
}) {
  const { t } = useText();
  return (
    <Alert
      className="gap-bottom"
      type="error"
      showIcon
      role="alert"
      title={error.message}
      description={
        <>
          <ul className="flaws">
            {flaws.map((flaw) => (
              <li key={`${flaw.field} ${flaw.code} ${flaw.text}`}>
                <Button type="link" size="small" onClick={() => show(flaw.field)}>
                  {t(`wizard.${stepOf(flaw.field)}`)}
                </Button>
                <FlawText flaw={flaw} />
              </li>
            ))}
          </ul>
          <p className="fine">
            <code>{error.code}</code>
            {error.requestId && ` · ${t('error.request', { id: error.requestId })}`}
          </p>
        </>
      }
    />
  );
}

interface BarProps {
  at: number;
  steps: readonly Step[];
  wrong: boolean[];
  go: (step: number) => void;
}

/** All steps side by side, or where there is no room for them, in a list. */
function StepBar({ at, steps, wrong, go }: BarProps) {
  const { t } = useText();
  const wide = Grid.useBreakpoint().md ?? true;
  if (!wide) {
    return (
      <Select
        className="gap-bottom wide"
        aria-label={t('wizard.steps')}
        value={at}
        onChange={go}
        options={steps.map((name, index) => ({
          value: index,
          label: `${index + 1}. ${t(`wizard.${name}`)}${wrong[index] ? ' ⚠' : ''}`,
        }))}
      />
    );
  }
  return (
    <Steps
      className="gap-bottom"
      size="small"
      current={at}
      onChange={go}
      items={steps.map((name, index) => ({
        title: t(`wizard.${name}`),
        ...(wrong[index] ? { status: 'error' as const } : {}),
      }))}
    />
  );
}
