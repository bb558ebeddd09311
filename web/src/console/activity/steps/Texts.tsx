// What players read besides the name and the description: the same in English, and who runs it.
import { Input } from 'antd';
import { useText } from '../../text';
import { At } from '../At';
import type { StepProps } from './props';

/** Fields of one line, and how long they may be; the rest has lines. */
const SHORT = { organiser: 120, organiser_en: 120, contact: 200 } as const;
const LONG = ['rules', 'rules_en'] as const;

export function Texts({ draft, change }: StepProps) {
  const { t } = useText();
  const { texts } = draft;
  const set = (part: Partial<typeof texts>) => change({ texts: { ...texts, ...part } });
  return (
    <section className="panel">
      <h2 className="section-title">{t('texts.title')}</h2>
      {(['organiser', 'organiser_en', 'contact'] as const).map((field) => (
        <At key={field} field={field} label={t(`texts.${field}`)}>
          <Input
            value={texts[field]}
            maxLength={SHORT[field]}
            onChange={(event) => set({ [field]: event.target.value })}
          />
        </At>
      ))}
      {LONG.map((field) => (
        <At key={field} field={field} label={t(`texts.${field}`)}>
          <Input.TextArea
            value={texts[field]}
            autoSize={{ minRows: 2, maxRows: 12 }}
            onChange={(event) => set({ [field]: event.target.value })}
          />
        </At>
      ))}
    </section>
  );
}
