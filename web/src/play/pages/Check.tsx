// The proof of one ticket, checked here and now, each step to look at.

import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { toHex } from '../../fair/bytes';
import { canVerify } from '../../fair/numbers';
import type { Strategy } from '../../fair/strategy';
import { type Checked, checkTicket, type Step, type Verdict } from '../../fair/ticket';
import { formatMoment } from '../../i18n';
import { keptReceipt } from '../draw';
import { myKeys } from '../keys';
import { Cross, Hourglass, Shield, Tick } from '../parts/art';
import { Head } from '../parts/Head';
import { Failed, Loading } from '../parts/states';
import { proofRead } from '../reads';
import { useText, type Word } from '../text';
import '../style/check.css';

export default function Check() {
  const { id = '', ticket = '' } = useParams();
  const { t, language } = useText();
  const proof = useQuery(proofRead(id, ticket));
  const checked = useQuery({
    queryKey: myKeys.checked(id, ticket, proof.data?.secret ?? ''),
    queryFn: () => {
      if (!proof.data) throw new Error('no proof');
      return checkTicket(proof.data, keptReceipt(ticket));
    },
    enabled: proof.data !== undefined && canVerify(),
  });
  return (
    <>
      <Head title={t('check.title')} back={`/activities/${id}/draws`} />
      {proof.data && (
        <p className="lead">
          {t('check.ticket', {
            when: formatMoment(proof.data.ticket.at_ms, language),
            count: proof.data.ticket.count,
          })}
        </p>
      )}
      {!canVerify() && <p className="refused">{t('fair.noCrypto')}</p>}
      {proof.isPending && <Loading />}
      {!proof.data && proof.error && <Failed error={proof.error} retry={() => void proof.refetch()} />}
      {checked.error && <Failed error={checked.error} />}
      {checked.data && <Verdicts checked={checked.data} />}
    </>
  );
}

const SIGNS = { good: <Tick />, bad: <Cross />, open: <Hourglass /> } as const;

function Verdicts({ checked }: { checked: Checked }) {
  const { t } = useText();
  return (
    <>
      <div className={`seal ${checked.verdict}`} role="status" data-verdict={checked.verdict}>
        <Shield />
        <div>
          <b>{t(`check.${checked.verdict}`)}</b>
          <p>{t(`check.${checked.verdict}Text`)}</p>
        </div>
      </div>
      <ol className="steps">
        {checked.steps.map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are made once and keep their order
          <li key={place} className={`step ${step.verdict}`}>
            <Sign verdict={step.verdict} />
            <div>
              <h2>{step.draw ? t('step.draw', { n: step.draw.n + 1 }) : t(`step.${step.name}`)}</h2>
              <p>{step.draw ? <DrawText step={step} strategy={checked.strategy} /> : t(textOf(step))}</p>
              <Facts step={step} />
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

const textOf = ({ name, verdict }: Step): Word =>
  name === 'secret' && verdict === 'open'
    ? 'step.secretOpen'
    : name === 'draw'
      ? 'step.draw'
      : `step.${name}Text`;

function Sign({ verdict }: { verdict: Verdict }) {
  const { t } = useText();
  return (
    <span className="sign">
      {SIGNS[verdict]}
      <span className="unseen">{t(`verdict.${verdict}`)}</span>
    </span>
  );
}

/** In words: what the roll was, among what, and what it hit. */
function DrawText({ step, strategy }: { step: Step; strategy: Strategy | undefined }) {
  const { t } = useText();
  const { draw } = step;
  if (!draw) return null;
  const prize = draw.told.prize === undefined ? undefined : strategy?.prizes.get(draw.told.prize)?.name;
  const roll = draw.again?.roll;
  const wheel = draw.again?.wheel;
  const how =
    roll && wheel
      ? t('step.roll', { roll: String(roll.number), bound: String(wheel.bound) })
      : t('step.noRoll');
  return (
    <>
      {how} {t(`path.${draw.told.path}`)} {prize ? t('step.gives', { prize }) : t('step.givesNone')}
    </>
  );
}

function Facts({ step }: { step: Step }) {
  const { t } = useText();
  const facts = [...step.facts];
  const drawn = step.draw?.again;
  for (const one of [drawn?.roll, drawn?.points]) {
    if (!one) continue;
    facts.push(['message', toHex(one.message)], ['value', toHex(one.value)], ['word', String(one.word)]);
  }
  if (facts.length === 0) return null;
  return (
    <details>
      <summary>{t('step.facts')}</summary>
      <dl className="hashes">
        {facts.map(([label, value]) => (
          <div key={label + value}>
            <dt>{t(`fact.${label}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
