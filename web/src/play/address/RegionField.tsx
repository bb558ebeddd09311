// Where somebody lives, chosen from province, city and district; written by hand where the list does not have it.
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { regionKeys } from '../keys';
import { Field, useFieldProblem } from '../parts/Form';
import { useText } from '../text';
import styles from './RegionField.module.css';
import { fetchRegions, type Place, placeOf, type Regions, regionOf } from './regions';

interface RegionFieldProps {
  name: string;
  /** What the address says already. */
  from: string;
  error: unknown;
}

export function RegionField({ name, from, error }: RegionFieldProps) {
  const { t } = useText();
  const { data, isError } = useQuery({
    queryKey: regionKeys.all,
    queryFn: fetchRegions,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [byHand, setByHand] = useState<boolean>();
  const foreign = data !== undefined && from !== '' && placeOf(data, from) === undefined;
  // Without the list, for lack of a connection or a place outside of it, a line to write on does as well.
  const written = byHand ?? (isError || foreign);
  return (
    <div className={styles.region}>
      {written ? (
        <Field
          name={name}
          label={t('address.region')}
          hint={t('address.regionHint')}
          defaultValue={from}
          autoComplete="address-level1"
          error={error}
          required
        />
      ) : (
        <Picker key={data ? 'there' : 'not yet'} regions={data ?? {}} name={name} from={from} error={error} />
      )}
      {!isError && (
        <button type="button" className="plain" onClick={() => setByHand(!written)}>
          {t(written ? 'address.choose' : 'address.byHand')}
        </button>
      )}
    </div>
  );
}

const NOWHERE: Place = { province: '', city: '', district: '' };

function Picker({ regions, name, from, error }: RegionFieldProps & { regions: Regions }) {
  const { t } = useText();
  const id = useId();
  const [place, setPlace] = useState<Place>(() => placeOf(regions, from) ?? NOWHERE);
  const wrong = useFieldProblem(name, error);
  const cities = regions[place.province] ?? {};
  const parts = [
    { part: 'province', options: Object.keys(regions) },
    { part: 'city', options: Object.keys(cities) },
    { part: 'district', options: cities[place.city] ?? [] },
  ] as const;
  const choose = (part: keyof Place, value: string) => {
    if (part === 'district') return setPlace({ ...place, district: value });
    // A city whose list has one entry needs no choice.
    const province = part === 'province' ? value : place.province;
    const within = Object.keys(regions[province] ?? {});
    const city = part === 'city' ? value : within.length === 1 ? (within[0] ?? '') : '';
    setPlace({ province, city, district: '' });
  };
  return (
    <fieldset className={styles.picker} aria-describedby={wrong ? `${id}-wrong` : undefined}>
      <legend>{t('address.region')}</legend>
      <input type="hidden" name={name} value={regionOf(place) || from} required />
      {parts.map(({ part, options }) => (
        <select
          key={part}
          aria-label={t(`address.${part}`)}
          aria-invalid={wrong ? true : undefined}
          value={place[part]}
          disabled={options.length === 0}
          onChange={({ target }) => choose(part, target.value)}
        >
          <option value="">{t(`address.${part}`)}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ))}
      {wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
    </fieldset>
  );
}
