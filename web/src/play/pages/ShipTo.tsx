// Where an order is sent, chosen before it is paid: an entry of the address book, or a new one, which stays in it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, insist } from '../../api/client';
import { useOnce } from '../../api/once';
import { AddressFields, addressOf } from '../address/AddressFields';
import { Dialog } from '../parts/Dialog';
import { Form } from '../parts/Form';
import { Failed, Loading } from '../parts/states';
import { addressesRead } from '../reads';
import { useText } from '../text';
import styles from './ShipTo.module.css';

interface ShipToProps {
  /** The entry that is chosen. */
  chosen: string | undefined;
  /** Whether somebody wanted to go on without. */
  missing: boolean;
  onChoose(address: string): void;
}

export function ShipTo({ chosen, missing, onChoose }: ShipToProps) {
  const { t } = useText();
  const { data, error, isPending, refetch } = useQuery(addressesRead);
  const [adding, setAdding] = useState(false);
  if (isPending) return <Loading />;
  if (!data) return <Failed error={error} retry={() => void refetch()} />;
  return (
    <div className={styles.to} data-testid="ship-to">
      <fieldset className="choices">
        <legend>{t('order.where')}</legend>
        {data.items.map((item) => (
          <label key={item.id} className="choice">
            <input
              type="radio"
              name="ship-to"
              checked={item.id === chosen}
              onChange={() => onChoose(item.id)}
            />
            <span>
              <b>{item.recipient}</b> {item.phone}
              <br />
              {item.region} {item.street}
            </span>
          </label>
        ))}
      </fieldset>
      {missing && (
        <p className="refused" role="alert">
          {t('order.needsAddress')}
        </p>
      )}
      <button type="button" className="button small" onClick={() => setAdding(true)}>
        {t('order.newAddress')}
      </button>
      {adding && (
        <NewAddress
          onClose={() => setAdding(false)}
          onMade={(id) => {
            setAdding(false);
            onChoose(id);
          }}
        />
      )}
    </div>
  );
}

function NewAddress({ onClose, onMade }: { onClose(): void; onMade(id: string): void }) {
  const { t } = useText();
  const client = useQueryClient();
  const once = useOnce();
  const save = useMutation({
    mutationFn: (values: Record<string, string>) => {
      const body = addressOf(values);
      return once(body, (key) => {
        const header = { 'Idempotency-Key': key };
        return insist((signal) => api.POST('/me/addresses', { signal, params: { header }, body }));
      });
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: addressesRead.queryKey });
      onMade(id);
    },
  });
  return (
    <Dialog title={t('addresses.add')} onClose={onClose}>
      <Form
        submit={t('save')}
        busy={save.isPending}
        error={save.error}
        onSubmit={(values) => save.mutate(values)}
      >
        <AddressFields error={save.error} />
      </Form>
    </Dialog>
  );
}
