// People of the community for journeys and pictures, made over the API.

const ROOT = '/api/v1';

/**
 * Somebody who is signed in, with a name; `ask` speaks to the API for them and insists on a good answer.
 *
 * @param {string} url
 * @param {{ phone: string, name?: string, password?: string }} who
 */
export async function member(url, { phone, name, password }) {
  const headers = { 'content-type': 'application/json' };
  const send = async (path, body) => {
    const answer = await fetch(`${url}${ROOT}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  };
  const signedIn = password
    ? await send('/auth/sign-in/password', { phone, password })
    : await send('/auth/sign-in/code', {
        phone,
        code: (await (await send('/auth/codes', { phone, purpose: 'sign_in' })).json()).demo_code,
      });
  const [cookie] = signedIn.headers.getSetCookie()[0].split(';');
  const ask = async (method, path, body) => {
    const answer = await fetch(`${url}${ROOT}${path}`, {
      method,
      headers: { ...(body && headers), cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return text ? JSON.parse(text) : undefined;
  };
  if (name) await ask('PATCH', '/me', { name, avatar: '' });
  const me = await ask('GET', '/me');
  return { id: me.id, name: me.name, cookie, ask };
}
