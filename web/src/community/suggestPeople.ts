import type { PersonBody, PostBody } from '../api/wire';

const PEOPLE_MAX = 5;

/** The authors of posts, each once, in the order of the posts; neither oneself nor those who are gone. */
export function suggestPeople(posts: readonly PostBody[], me: string | undefined): PersonBody[] {
  const people = new Map<string, PersonBody>();
  for (const { author } of posts) {
    if (author && author.id !== me && people.size < PEOPLE_MAX) people.set(author.id, author);
  }
  return [...people.values()];
}
