import { Button, Input, Segmented } from 'antd';
import { useRef, useState } from 'react';
import { itemFormValues } from '../../../api/schema.gen';
import { PICTURES_MAX, pictureAddress, type SaleDraft } from '../../logic/sale';
import { Trouble } from '../../parts/states';
import { useText } from '../../text';
import { At, Texts, useFlaws } from '../At';
import { PICTURE_TYPES, uploadPicture } from '../picture';
import { CodePool } from './Prizes';
import type { StepProps } from './props';

/** What is sold: its kind, its name, its pictures. */
export function Goods({ draft, change }: StepProps) {
  const { t } = useText();
  const { sale } = draft;
  const set = (part: Partial<SaleDraft>) => change({ sale: { ...sale, ...part } });
  return (
    <div className="two">
      <section className="panel">
        <h2 className="section-title">{t('goods.title')}</h2>
        <At field="sale.item" label={t('goods.item')} help={t(`goods.${sale.item}Help`)}>
          <Segmented
            value={sale.item}
            onChange={(item) => set({ item })}
            options={itemFormValues.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
          />
        </At>
        {sale.item === 'code' && (
          <CodePool field="sale.pool" value={sale.pool} change={(pool) => set({ pool })} />
        )}
        <At field="sale.name" label={t('goods.name')} help={t('goods.nameHelp')}>
          <Input
            value={sale.name}
            placeholder={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        </At>
        <At field="sale.name_en" label={t('basics.nameEn')} help={t('basics.enHelp')}>
          <Input
            value={sale.nameEn}
            maxLength={80}
            onChange={(event) => set({ nameEn: event.target.value })}
          />
        </At>
        <At field="sale.details" label={t('goods.details')}>
          <Input.TextArea
            value={sale.details}
            autoSize={{ minRows: 3, maxRows: 12 }}
            onChange={(event) => set({ details: event.target.value })}
          />
        </At>
        <At field="sale.details_en" label={t('prize.detailsEn')}>
          <Input.TextArea
            value={sale.detailsEn}
            autoSize={{ minRows: 3, maxRows: 12 }}
            onChange={(event) => set({ detailsEn: event.target.value })}
          />
        </At>
      </section>
      <Pictures pictures={sale.pictures} change={(pictures) => set({ pictures })} />
    </div>
  );
}

interface PicturesProps {
  pictures: string[];
  change: (pictures: string[]) => void;
}

/** Uploaded, or named by an address or an emoji. The first stands where there is room for one. */
function Pictures({ pictures, change }: PicturesProps) {
  const { t } = useText();
  const chooser = useRef<HTMLInputElement>(null);
  const flaws = useFlaws('sale.pictures');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [typed, setTyped] = useState('');
  const full = pictures.length >= PICTURES_MAX;
  const upload = async (files: File[]) => {
    setBusy(true);
    setError(undefined);
    const added = [...pictures];
    try {
      for (const file of files.slice(0, PICTURES_MAX - pictures.length)) {
        const { id } = await uploadPicture(file);
        if (!added.includes(id)) added.push(id);
      }
    } catch (failure) {
      setError(failure);
    } finally {
      change(added);
      setBusy(false);
    }
  };
  const add = () => {
    const picture = typed.trim();
    if (picture && !pictures.includes(picture)) change([...pictures, picture]);
    setTyped('');
  };
  const first = (at: number) => change([pictures[at] ?? '', ...pictures.filter((_, other) => other !== at)]);
  return (
    <section className="panel">
      <h2 className="section-title">{t('goods.pictures')}</h2>
      <p className="soft">{t('goods.picturesHelp', { max: PICTURES_MAX })}</p>
      <ul className="shots">
        {pictures.map((picture, at) => (
          <li key={picture}>
            <Shown picture={picture} />
            <span className="row">
              {at > 0 && (
                <Button
                  size="small"
                  onClick={() => first(at)}
                  aria-label={t('goods.firstThis', { n: at + 1 })}
                >
                  {t('goods.first')}
                </Button>
              )}
              <Button
                size="small"
                danger
                onClick={() => change(pictures.filter((_, other) => other !== at))}
                aria-label={t('goods.dropThis', { n: at + 1 })}
              >
                {t('goods.drop')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {flaws.length > 0 && (
        <p className="wrong">
          <Texts flaws={flaws} />
        </p>
      )}
      {error !== undefined && <Trouble error={error} />}
      <div className="row">
        <input
          ref={chooser}
          type="file"
          accept={PICTURE_TYPES}
          multiple
          className="unseen"
          tabIndex={-1}
          aria-label={t('goods.upload')}
          data-testid="picture-file"
          onChange={(event) => {
            void upload([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <Button loading={busy} disabled={full} onClick={() => chooser.current?.click()}>
          {t('goods.upload')}
        </Button>
        <Input
          className="search"
          value={typed}
          placeholder={t('goods.address')}
          aria-label={t('goods.address')}
          disabled={full}
          onChange={(event) => setTyped(event.target.value)}
          onPressEnter={add}
        />
        <Button disabled={full || typed.trim() === ''} onClick={add}>
          {t('goods.add')}
        </Button>
      </div>
    </section>
  );
}

/** A picture as buyers see it, small. */
export function Shown({ picture }: { picture: string | undefined }) {
  const address = picture === undefined ? undefined : pictureAddress(picture);
  return (
    <span className="shot">
      {address ? <img src={address} alt="" referrerPolicy="no-referrer" /> : <span>{picture ?? '🎁'}</span>}
    </span>
  );
}
