// The wire types by short names, all from ../api/openapi.json.
export type * from './schema.gen';
