// What each role may do, as the server decides it. The pages only leave out what would be refused; the server judges.
import { roleValues } from '../../api/schema.gen';
import type { Role } from '../../api/wire';

/** Every role but that of players, who have nothing to do here. */
export type StaffRole = Exclude<Role, 'player'>;
export const ROLES: readonly StaffRole[] = roleValues.filter((role) => role !== 'player');

/** Things that not everybody in the console may do, with the roles that may. */
const MAY = {
  writeActivities: ['operator', 'admin'],
  decideActivities: ['reviewer', 'admin'],
  runActivities: ['operator', 'admin'],
  writeTrees: ['operator', 'admin'],
  codes: ['operator', 'admin'],
  fulfil: ['operator', 'admin'],
  changeStock: ['operator', 'admin'],
  adjustPoints: ['operator', 'admin'],
  decideApprovals: ['admin'],
  webhooks: ['admin'],
  keys: ['admin'],
  audit: ['admin'],
  changeJobs: ['admin'],
  reconcile: ['admin'],
  changePeople: ['admin'],
  moderate: ['moderator', 'admin'],
  quarantine: ['admin'],
  halt: ['operator', 'admin'],
  letGoOn: ['admin'],
} as const satisfies Record<string, readonly StaffRole[]>;

export type Deed = keyof typeof MAY;

export function staffRoles(roles: readonly Role[]): StaffRole[] {
  return ROLES.filter((role) => roles.includes(role));
}

export function mayDo(roles: readonly Role[], deed: Deed): boolean {
  return MAY[deed].some((role) => roles.includes(role));
}
