import type { AddressBody, AddressRequest } from '../../api/wire';
import { Field } from '../parts/Form';
import { useText } from '../text';
import { RegionField } from './RegionField';

interface AddressFieldsProps {
  from?: AddressBody | undefined;
  error: unknown;
  /** Where the address stands in what is sent: refusals name fields from there. */
  prefix?: string;
}

/** The fields of an address. */
export function AddressFields({ from, error, prefix = '' }: AddressFieldsProps) {
  const { t } = useText();
  const field = (name: Exclude<keyof AddressRequest, 'default'>) => ({
    name: `${prefix}${name}`,
    label: t(`address.${name}`),
    defaultValue: String(from?.[name] ?? ''),
    error,
  });
  return (
    <>
      <Field {...field('recipient')} autoComplete="name" required />
      <Field {...field('phone')} type="tel" autoComplete="tel" required />
      <RegionField name={`${prefix}region`} from={from?.region ?? ''} error={error} />
      <Field {...field('street')} autoComplete="street-address" required />
      <Field {...field('postcode')} autoComplete="postal-code" inputMode="numeric" />
    </>
  );
}

export function addressOf(values: Record<string, string>): AddressRequest {
  const of = (name: string) => values[name] ?? values[`address.${name}`] ?? '';
  return {
    recipient: of('recipient'),
    phone: of('phone'),
    region: of('region'),
    street: of('street'),
    postcode: of('postcode'),
    default: values.default === 'on',
  };
}
