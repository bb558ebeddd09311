import { expect, expectTypeOf, it } from 'vitest';
import { type Field, type ValuesOf, valuesOf } from './fields';

const FIELDS = [
  { name: 'reason', label: '', kind: 'area', optional: true },
  { name: 'name', label: '' },
  { name: 'units', label: '', kind: 'number' },
  { name: 'until', label: '', kind: 'moment', optional: true },
  { name: 'all', label: '', kind: 'check' },
  {
    name: 'state',
    label: '',
    kind: 'select',
    options: [
      { value: 'on', label: '' },
      { value: 'off', label: '' },
    ],
  },
  {
    name: 'pool',
    label: '',
    kind: 'select',
    optional: true,
    options: [] as { value: string; label: string }[],
  },
  { name: 'roles', label: '', kind: 'many', options: [{ value: 'admin', label: '' }] },
] as const satisfies readonly Field[];

it('what was typed becomes what its kind says', () => {
  const typed = {
    reason: ' so ',
    name: undefined,
    units: 3,
    all: undefined,
    state: 'on',
    pool: '',
    roles: ['admin'],
  };
  expect(valuesOf(FIELDS, typed)).toEqual({
    reason: 'so',
    name: '',
    units: 3,
    until: undefined,
    all: false,
    state: 'on',
    pool: undefined,
    roles: ['admin'],
  });
  expect(valuesOf(FIELDS, { units: '3', state: 5, roles: null })).toMatchObject({
    units: undefined,
    state: undefined,
    roles: [],
  });
});

it('and the compiler knows', () => {
  expectTypeOf<ValuesOf<typeof FIELDS>>().toEqualTypeOf<{
    reason: string;
    name: string;
    units: number;
    until: number | undefined;
    all: boolean;
    state: 'on' | 'off';
    pool: string | undefined;
    roles: 'admin'[];
  }>();
});
