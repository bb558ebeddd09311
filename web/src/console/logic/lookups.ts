// What a text in the search box may be. Pure.

/** Things that can be found, each by one request. */
export type Lookup =
  | 'activity'
  | 'activityId'
  | 'person'
  | 'personId'
  | 'phone'
  | 'externalId'
  | 'orderId'
  | 'prizeId'
  | 'letterId'
  | 'treeId'
  | 'tree'
  | 'codePool'
  | 'pool'
  | 'hold';

const ID = /^\d{1,19}$/;
const PHONE = /^\+?\d[\d -]{6,18}$/;

/** Everything that it can be: names are parts of names, ids and phones are whole. */
export function lookups(text: string): Lookup[] {
  if (text === '') return [];
  const found: Lookup[] = ['activity', 'person', 'externalId', 'tree', 'codePool', 'pool', 'hold'];
  if (ID.test(text)) found.push('activityId', 'personId', 'orderId', 'prizeId', 'letterId', 'treeId');
  if (PHONE.test(text)) found.push('phone');
  return found;
}
