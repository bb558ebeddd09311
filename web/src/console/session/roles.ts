// What each role may do, as the server decides it. The pages only leave out what would be refused; the server judges.

export const ROLES = ['operator', 'reviewer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

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
  quarantine: ['admin'],
  halt: ['operator', 'admin'],
  letGoOn: ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Deed = keyof typeof MAY;

export function staffRoles(roles: readonly string[]): Role[] {
  return ROLES.filter((role) => roles.includes(role));
}

export function mayDo(roles: readonly string[], deed: Deed): boolean {
  return MAY[deed].some((role) => roles.includes(role));
}
