import { api, ask } from '../../api/client';

/** Ends the session and shows the sign-in page. */
export async function signOut(): Promise<void> {
  await ask((signal) => api.POST('/auth/sign-out', { signal }));
  location.assign('/console');
}
