import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, insist } from '../../api/client';
import { useOnce } from '../../api/once';
import type { AddressBody } from '../../api/wire';
import { AddressFields, addressOf } from '../address/AddressFields';
import { Dialog } from '../parts/Dialog';
import { Form } from '../parts/Form';
import { Head } from '../parts/Head';
import { Empty, Failed, Loading, Refused } from '../parts/states';
import { addressesRead } from '../reads';
import { useText } from '../text';

/** My address book. */
export default function Addresses() {
  const { t } = useText();
  const { data, error, isPending, refetch } = useQuery(addressesRead);
  const [editing, setEditing] = useState<AddressBody | 'new'>();
  return (
    <>
      <Head title={t('addresses.title')} back="/me" />
      {isPending && <Loading />}
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      {data?.items.length === 0 && <Empty title={t('addresses.empty')} />}
      <ul className="stack">
        {data?.items.map((address) => (
          <li key={address.id} className="card">
            <AddressCard address={address} edit={() => setEditing(address)} />
          </li>
        ))}
      </ul>
      {data && (
        <button type="button" className="button primary wide" onClick={() => setEditing('new')}>
          {t('addresses.add')}
        </button>
      )}
      {editing && (
        <Editor address={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  );
}

function AddressCard({ address, edit }: { address: AddressBody; edit(): void }) {
  const { t } = useText();
  const client = useQueryClient();
  const [sure, setSure] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      ask((signal) => api.DELETE('/me/addresses/{id}', { signal, params: { path: { id: address.id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: addressesRead.queryKey }),
  });
  return (
    <>
      <p>
        <b>{address.recipient}</b> {address.phone}{' '}
        {address.default && <em className="badge">{t('addresses.default')}</em>}
      </p>
      <p>
        {address.region} {address.street} {address.postcode}
      </p>
      <Refused error={remove.error} />
      <p className="buttons">
        <button type="button" className="button small" onClick={edit}>
          {t('edit')}
        </button>
        {sure ? (
          <button type="button" className="button small danger" onClick={() => remove.mutate()}>
            {t('addresses.sure')}
          </button>
        ) : (
          <button type="button" className="button small" onClick={() => setSure(true)}>
            {t('remove')}
          </button>
        )}
      </p>
    </>
  );
}

function Editor({ address, onClose }: { address: AddressBody | undefined; onClose(): void }) {
  const { t } = useText();
  const client = useQueryClient();
  const once = useOnce();
  const save = useMutation({
    mutationFn: (values: Record<string, string>) => {
      const body = addressOf(values);
      if (address) {
        const path = { id: address.id };
        return insist((signal) => api.PUT('/me/addresses/{id}', { signal, params: { path }, body }));
      }
      return once(body, (key) => {
        const header = { 'Idempotency-Key': key };
        return insist((signal) => api.POST('/me/addresses', { signal, params: { header }, body }));
      });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: addressesRead.queryKey });
      onClose();
    },
  });
  return (
    <Dialog title={t(address ? 'addresses.edit' : 'addresses.add')} onClose={onClose}>
      <Form
        submit={t('save')}
        busy={save.isPending}
        error={save.error}
        onSubmit={(values) => save.mutate(values)}
      >
        <AddressFields from={address} error={save.error} />
        <label className="tick">
          <input type="checkbox" name="default" defaultChecked={address?.default ?? false} />
          <span>{t('addresses.makeDefault')}</span>
        </label>
      </Form>
    </Dialog>
  );
}
