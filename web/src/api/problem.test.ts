import { expect, it } from 'vitest';
import { Problem } from './problem';

it('what is wrong is told without the name that the API has for the field', () => {
  for (const [field, title, plain, called] of [
    [
      'phone',
      'phone: is too long (at most 20).',
      'Is too long (at most 20).',
      'Phone: is too long (at most 20).',
    ],
    ['phone', 'phone：太长。', '太长。', 'Phone：太长。'],
    ['phone', 'Somebody has this phone.', 'Somebody has this phone.', 'Phone: Somebody has this phone.'],
  ] as const) {
    const problem = new Problem({ title, field, status: 422, code: 'invalid_field', request_id: null });
    expect(problem.plain).toBe(plain);
    expect(problem.called('Phone')).toBe(called);
  }
});
