import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClaimRequest } from '../../api/wire';
import { AddressFields, addressOf } from '../address/AddressFields';
import { Dialog } from '../parts/Dialog';
import { Form } from '../parts/Form';
import { Failed, Loading } from '../parts/states';
import { addressesRead } from '../reads';
import { useText } from '../text';

interface ClaimDialogProps {
  prize: string;
  busy: boolean;
  error: unknown;
  onClose(): void;
  onClaim(body: ClaimRequest): void;
}

const NEW = 'new';

/** Where a parcel goes: one of the address book, or a new address. */
export function ClaimDialog({ prize, busy, error, onClose, onClaim }: ClaimDialogProps) {
  const { t } = useText();
  const { data, error: failed, isPending, refetch } = useQuery(addressesRead);
  const [chosen, setChosen] = useState<string>();
  const items = data?.items ?? [];
  const which = chosen ?? items.find((item) => item.default)?.id ?? items[0]?.id ?? NEW;
  return (
    <Dialog title={t('claim.title')} onClose={onClose}>
      <p className="quiet">{t('claim.text', { prize })}</p>
      {isPending && <Loading />}
      {!data && failed && <Failed error={failed} retry={() => void refetch()} />}
      {data && (
        <Form
          submit={t('claim.submit')}
          busy={busy}
          error={error}
          onSubmit={(values) =>
            onClaim(which === NEW ? { address: addressOf(values) } : { address_id: which })
          }
        >
          {items.length > 0 && (
            <fieldset className="choices">
              <legend>{t('claim.where')}</legend>
              {items.map((item) => (
                <label key={item.id} className="choice">
                  <input
                    type="radio"
                    name="which"
                    checked={which === item.id}
                    onChange={() => setChosen(item.id)}
                  />
                  <span>
                    <b>{item.recipient}</b> {item.phone}
                    <br />
                    {item.region} {item.street}
                  </span>
                </label>
              ))}
              <label className="choice">
                <input type="radio" name="which" checked={which === NEW} onChange={() => setChosen(NEW)} />
                <span>{t('claim.other')}</span>
              </label>
            </fieldset>
          )}
          {which === NEW && <AddressFields error={error} prefix="address." />}
        </Form>
      )}
    </Dialog>
  );
}
