//! The specification. One row per endpoint, one column per kind of caller, each cell the expected status.
//!
//! `keys` names the scopes that open the endpoint to an API key, `-` when none does. The columns:
//!
//! | column | who asks, and about what |
//! | --- | --- |
//! | `anon` | nobody: no session, no key |
//! | `play` | a player, about their own things |
//! | `othr` | a player, naming another player's session, address, code or password |
//! | `oper` `revw` `admn` | an operator, a reviewer, an admin, about their own things |
//! | `wrng` | a key with every scope but those in `keys` |
//! | `rght` | a key with one of `keys`, each tried in turn; `-` when there is none |
//! | `rvkd` | a key with every scope, revoked |
//! | `bann` | a player with a session, banned since: the ban ended it |
//! | `expd` | a player whose session is past its end |
//!
//! Objects named in an address exist and belong to whom the column says, so that a 404 means "not yours" and
//! a success is one. What an admin decides was asked for by another; what an admin withdraws is their own.

use super::caller::Caller;

const TABLE: &str = "
                                           keys                  anon play othr oper revw admn wrng rght rvkd bann expd

GET    /time                               -                      200  200  200  200  200  200  200    -  200  200  200
GET    /site                               -                      200  200  200  200  200  200  200    -  200  200  200
GET    /problems                           -                      200  200  200  200  200  200  200    -  200  200  200
GET    /users/{id}                         -                      200  200  200  200  200  200  200    -  200  200  200

POST   /auth/codes                         -                      202  202  202  202  202  202  202    -  202  202  202
POST   /auth/sign-in/code                  -                      200  200  200  200  200  200  200    -  200  200  200
POST   /auth/sign-in/password              -                      200  200  200  200  200  200  200    -  200  200  200
POST   /auth/register                      -                      201  201  201  201  201  201  201    -  201  201  201
POST   /auth/password/reset                -                      204  204  204  204  204  204  204    -  204  204  204
POST   /auth/links/redeem                  -                      200  200  200  200  200  200  200    -  200  200  200
POST   /auth/sign-out                      -                      401  204  204  204  204  204  403    -  401  401  401
POST   /auth/sign-out-everywhere           -                      401  204  204  204  204  204  403    -  401  401  401

GET    /me                                 play                   401  200  200  200  200  200  403  200  401  401  401
PATCH  /me                                 play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/addresses                       play                   401  200  200  200  200  200  403  200  401  401  401
POST   /me/addresses                       play                   401  201  201  201  201  201  403  201  401  401  401
PUT    /me/addresses/{id}                  play                   401  200  404  200  200  200  403  200  401  401  401
DELETE /me/addresses/{id}                  play                   401  204  404  204  204  204  403  204  401  401  401
GET    /me/sessions                        -                      401  200  200  200  200  200  403    -  401  401  401
DELETE /me/sessions/{id}                   -                      401  204  404  204  204  204  403    -  401  401  401
GET    /me/points                          play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/points/statement                play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/second-factor                   -                      401  200  200  200  200  200  403    -  401  401  401
POST   /me/second-factor                   -                      401  201  201  201  201  201  403    -  401  401  401
POST   /me/second-factor/confirm           -                      401  409  409  409  409  409  403    -  401  401  401
POST   /me/second-factor/remove            -                      401  409  409  409  409  409  403    -  401  401  401
POST   /me/codes                           -                      401  202  202  202  202  202  403    -  401  401  401
POST   /me/password                        -                      401  204  401  204  204  204  403    -  401  401  401
POST   /me/phone                           -                      401  204  401  204  204  204  403    -  401  401  401
POST   /me/delete                          -                      401  204  401  204  204  204  403    -  401  401  401

POST   /links                              play                   401  403  403  403  403  403  403  201  401  401  401
DELETE /external-users/{external_id}       play                   401  403  403  403  403  204  403  204  401  401  401
GET    /external-users/{external_id}/facts facts,admin            401  403  403  403  403  200  403  200  401  401  401
PATCH  /external-users/{external_id}/facts facts,admin            401  403  403  403  403  200  403  200  401  401  401

GET    /admin/names                        read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/users                        read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/users/{id}                   read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/users/{id}/support           read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /admin/users/{id}/second-factor/reset -                    401  403  403  403  403  202  403    -  401  401  401
GET    /admin/users/{id}/points            read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/users/{id}/points/statement  read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /admin/users/{id}/points            admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /admin/users/{id}/points/{n}/reverse admin                 401  403  403  200  403  200  403  200  401  401  401
GET    /admin/users/{id}/facts             read,admin             401  403  403  200  200  200  403  200  401  401  401
PATCH  /admin/users/{id}/facts             facts,admin            401  403  403  403  403  200  403  200  401  401  401
POST   /admin/users                        -                      401  403  403  403  403  403  403    -  401  401  401
PUT    /admin/users/{id}/ban               admin                  401  403  403  403  403  204  403  204  401  401  401
DELETE /admin/users/{id}/ban               admin                  401  403  403  403  403  204  403  204  401  401  401
POST   /admin/users/{id}/sign-out          admin                  401  403  403  403  403  204  403  204  401  401  401
POST   /admin/users/{id}/roles             -                      401  403  403  403  403  202  403    -  401  401  401

GET    /admin/approvals                    read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/approvals/{id}               read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /admin/approvals/{id}/approve       -                      401  403  403  403  403  200  403    -  401  401  401
POST   /admin/approvals/{id}/refuse        -                      401  403  403  403  403  200  403    -  401  401  401
POST   /admin/approvals/{id}/withdraw      -                      401  403  403  403  403  200  403    -  401  401  401

GET    /admin/keys                         admin                  401  403  403  403  403  200  403  200  401  401  401
POST   /admin/keys                         -                      401  403  403  403  403  201  403    -  401  401  401
POST   /admin/keys/{id}/rotate             -                      401  403  403  403  403  200  403    -  401  401  401
DELETE /admin/keys/{id}                    -                      401  403  403  403  403  204  403    -  401  401  401

GET    /admin/audit                        admin                  401  403  403  403  403  200  403  200  401  401  401
GET    /admin/jobs                         read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/jobs/{name}                  read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/jobs/{name}/runs             read,admin             401  403  403  200  200  200  403  200  401  401  401
PATCH  /admin/jobs/{name}                  admin                  401  403  403  403  403  200  403  200  401  401  401
POST   /admin/jobs/{name}/run              admin                  401  403  403  403  403  202  403  202  401  401  401
GET    /admin/attention                    read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/statistics/daily             read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/statistics/daily.csv         read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/statistics/visitors          read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/statistics/retention         read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/ledger                       read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /admin/ledger/reconcile             admin                  401  403  403  403  403  200  403  200  401  401  401
GET    /admin/backups                      read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /admin/backups                      -                      401  403  403  403  403  403  403    -  401  401  401
GET    /admin/quarantine                   read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/quarantine/messages          read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /admin/quarantine/messages          admin                  401  403  403  403  403  200  403  200  401  401  401
POST   /admin/quarantine/code-pools/{id}/release admin            401  403  403  403  403  200  403  200  401  401  401

GET    /inventory/pools                    inventory,read,admin   401  403  403  200  200  200  403  200  401  401  401
POST   /inventory/pools                    inventory,admin        401  403  403  201  403  201  403  201  401  401  401
POST   /inventory/batch                    inventory,admin        401  403  403  200  403  200  403  200  401  401  401
GET    /inventory/pools/{name}             inventory,read,admin   401  403  403  200  200  200  403  200  401  401  401
GET    /inventory/pools/{name}/movements   inventory,read,admin   401  403  403  200  200  200  403  200  401  401  401
GET    /inventory/pools/{name}/events      inventory,read,admin   401  403  403  200  200  200  403  200  401  401  401
POST   /inventory/pools/{name}/restock     inventory,admin        401  403  403  200  403  200  403  200  401  401  401
POST   /inventory/pools/{name}/adjust      inventory,admin        401  403  403  200  403  200  403  200  401  401  401
POST   /inventory/pools/{name}/limit       inventory,admin        401  403  403  200  403  200  403  200  401  401  401
POST   /inventory/pools/{name}/freeze      inventory,admin        401  403  403  200  403  200  403  200  401  401  401
POST   /inventory/pools/{name}/thaw        inventory,admin        401  403  403  200  403  200  403  200  401  401  401
POST   /inventory/pools/{name}/close       inventory,admin        401  403  403  200  403  200  403  200  401  401  401
POST   /inventory/pools/{name}/reopen      inventory,admin        401  403  403  201  403  201  403  201  401  401  401
GET    /inventory/holds                    inventory,read,admin   401  403  403  200  200  200  403  200  401  401  401
POST   /inventory/holds                    inventory,admin        401  403  403  201  403  201  403  201  401  401  401
GET    /inventory/holds/{id}               inventory,read,admin   401  403  403  200  200  200  403  200  401  401  401
POST   /inventory/holds/{id}/confirm       inventory,admin        401  403  403  200  403  200  403  200  401  401  401
POST   /inventory/holds/{id}/cancel        inventory,admin        401  403  403  200  403  200  403  200  401  401  401
POST   /inventory/holds/{id}/extend        inventory,admin        401  403  403  200  403  200  403  200  401  401  401

GET    /play/activities                    -                      200  200  200  200  200  200  200    -  200  200  200
GET    /play/activities/{id}               -                      200  200  200  200  200  200  200    -  200  200  200
GET    /play/activities/{id}/me            play                   401  200  200  200  200  200  403  200  401  401  401
GET    /play/activities/{id}/me/draws      play                   401  200  200  200  200  200  403  200  401  401  401
GET    /play/activities/{id}/me/proof/{ticket} play               401  200  404  200  200  200  403  200  401  401  401
GET    /me/wins                            play                   401  200  200  200  200  200  403  200  401  401  401
POST   /me/wins/{id}/claim                 play                   401  200  404  200  200  200  403  200  401  401  401
GET    /play/activities/{id}/winners       -                      200  200  200  200  200  200  200    -  200  200  200
GET    /play/activities/{id}/winners/events -                     200  200  200  200  200  200  200    -  200  200  200
GET    /play/activities/{id}/leaders       -                      200  200  200  200  200  200  200    -  200  200  200
POST   /play/activities/{id}/draws         play                   401  201  201  201  201  201  403  201  401  401  401
POST   /play/activities/{id}/entries       play                   401  201  201  201  201  201  403  201  401  401  401
GET    /play/activities/{id}/raffle        -                      200  200  200  200  200  200  200    -  200  200  200
GET    /play/activities/{id}/raffle/winners -                     200  200  200  200  200  200  200    -  200  200  200
GET    /play/activities/{id}/raffle/roll   -                      200  200  200  200  200  200  200    -  200  200  200
GET    /play/trees/{id}                    play                   401  200  200  200  200  200  403  200  401  401  401
POST   /play/trees/{id}/draws              play                   401  201  201  201  201  201  403  201  401  401  401

GET    /fulfilments                        fulfil,read,admin      401  403  403  200  200  200  403  200  401  401  401
GET    /fulfilments.csv                    read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /fulfilments/{id}                   fulfil,admin           401  403  403  200  403  200  403  200  401  401  401
POST   /fulfilments/{id}/release           admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /fulfilments/{id}/ship              fulfil,admin           401  403  403  200  403  200  403  200  401  401  401
POST   /fulfilments/{id}/deliver           fulfil,admin           401  403  403  200  403  200  403  200  401  401  401
POST   /fulfilments/{id}/redrive           admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /fulfilments/{id}/void              -                      401  403  403  202  403  202  403    -  401  401  401
POST   /fulfilments/{id}/report            fulfil,admin           401  403  403  200  403  200  403  200  401  401  401
GET    /outbox/dead-letters                read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /outbox/dead-letters/redrive        admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /outbox/dead-letters/{id}           read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /outbox/dead-letters/{id}/redrive   admin                  401  403  403  200  403  200  403  200  401  401  401

GET    /activities                         read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /activities                         -                      401  403  403  201  403  201  403    -  401  401  401
GET    /activities/{id}                    read,admin             401  403  403  200  200  200  403  200  401  401  401
PUT    /activities/{id}                    -                      401  403  403  200  403  200  403    -  401  401  401
POST   /activities/{id}/clone              -                      401  403  403  201  403  201  403    -  401  401  401
POST   /activities/{id}/discard            -                      401  403  403  204  403  204  403    -  401  401  401
GET    /activities/{id}/timeline           read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /activities/{id}/submit             -                      401  403  403  200  403  200  403    -  401  401  401
POST   /activities/{id}/withdraw           -                      401  403  403  200  403  200  403    -  401  401  401
POST   /activities/{id}/approve            -                      401  403  403  403  200  200  403    -  401  401  401
POST   /activities/{id}/refuse             -                      401  403  403  403  200  200  403    -  401  401  401
POST   /activities/{id}/close              admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /activities/{id}/pause              admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /activities/{id}/resume             admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /activities/{id}/reopen             admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /activities/{id}/versions           read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /activities/{id}/versions/{number}  read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /activities/{id}/versions/{number}/diff read,admin         401  403  403  200  200  200  403  200  401  401  401
GET    /activities/{id}/secrets            -                      200  200  200  200  200  200  200    -  200  200  200
POST   /activities/{id}/prizes/{prize}/restock admin              401  403  403  200  403  200  403  200  401  401  401
POST   /activities/{id}/prizes/{prize}/withdraw admin             401  403  403  200  403  200  403  200  401  401  401
POST   /activities/{id}/prizes/{prize}/restore admin              401  403  403  200  403  200  403  200  401  401  401
POST   /activities/{id}/raffle/beacon      admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /activities/{id}/report             read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /activities/{id}/funnel             read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /activities/{id}/live               read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /activities/{id}/draws.csv          read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /activities/{id}/winners            read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /activities/{id}/winners/publish    admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /admin/activities/{id}/winners      admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /activities/{id}/export             -                      200  200  200  200  200  200  200    -  200  200  200
POST   /activities/{id}/grants             admin                  401  403  403  201  403  201  403  201  401  401  401
GET    /admin/halt                         read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /admin/halt                         -                      401  403  403  403  403  200  403    -  401  401  401
GET    /trees                              read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /trees                              admin                  401  403  403  201  403  201  403  201  401  401  401
GET    /trees/{id}                         read,admin             401  403  403  200  200  200  403  200  401  401  401
PUT    /trees/{id}                         admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /trees/{id}/uses                    read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /trees/{id}/versions/{version}      read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /trees/{id}/dry-run                 read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /trees/dry-run                      read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /activities/{id}/block-list         read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /activities/{id}/block-list         admin                  401  403  403  200  403  200  403  200  401  401  401
DELETE /activities/{id}/block-list/{user}  admin                  401  403  403  204  403  204  403  204  401  401  401

GET    /sales                              -                      200  200  200  200  200  200  200    -  200  200  200
GET    /sales/{id}                         -                      200  200  200  200  200  200  200    -  200  200  200
GET    /sales/{id}/live                    -                      200  200  200  200  200  200  200    -  200  200  200
GET    /sales/{id}/units                   read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /sales/{id}/report                  read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /sales/{id}/report/live             read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /sales/{id}/restock                 admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /sales/{id}/extend                  admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /pictures                           admin                  401  403  403  201  403  201  403  201  401  401  401
GET    /pictures/{id}                      -                      200  200  200  200  200  200  200    -  200  200  200
PUT    /activities/{id}/reminder           play                   401  204  204  204  204  204  403  204  401  401  401
DELETE /activities/{id}/reminder           play                   401  204  204  204  204  204  403  204  401  401  401
GET    /me/reminders                       play                   401  200  200  200  200  200  403  200  401  401  401

GET    /search                             -                      200  200  200  200  200  200  200    -  200  200  200
GET    /posts                              -                      200  200  200  200  200  200  200    -  200  200  200
GET    /posts/featured                     -                      200  200  200  200  200  200  200    -  200  200  200
GET    /posts/hot                          -                      200  200  200  200  200  200  200    -  200  200  200
GET    /posts/{id}                         -                      200  200  200  200  200  200  200    -  200  200  200
POST   /posts                              play                   401  201  201  201  201  201  403  201  401  401  401
POST   /posts/preview                      play                   401  200  200  200  200  200  403  200  401  401  401
PUT    /posts/{id}                         play                   401  200  404  200  200  200  403  200  401  401  401
DELETE /posts/{id}                         play                   401  204  404  204  204  204  403  204  401  401  401
PUT    /posts/{id}/like                    play                   401  200  200  200  200  200  403  200  401  401  401
DELETE /posts/{id}/like                    play                   401  200  200  200  200  200  403  200  401  401  401
GET    /posts/{id}/likes                   play                   401  200  200  200  200  200  403  200  401  401  401
PUT    /posts/{id}/vote                    play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/posts                           play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/timeline                        play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/blocks                          play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/check-in                        play                   401  200  200  200  200  200  403  200  401  401  401
POST   /me/check-in                        play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/tasks                           play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/invites                         play                   401  200  200  200  200  200  403  200  401  401  401
PUT    /me/invites                         play                   401  200  200  200  200  200  403  200  401  401  401
PUT    /me/inviter                         play                   401  409  409  409  409  409  403  409  401  401  401
GET    /invites/{code}                     -                      200  200  200  200  200  200  200    -  200  200  200
POST   /me/check-in/make-up                play                   401  409  409  409  409  409  403  409  401  401  401
GET    /members/{id}                       -                      200  200  200  200  200  200  200    -  200  404  200
GET    /users/{id}/posts                   -                      200  200  200  200  200  200  200    -  200  200  200
GET    /users/{id}/followers               -                      200  200  200  200  200  200  200    -  200  404  200
GET    /users/{id}/following               -                      200  200  200  200  200  200  200    -  200  404  200
PUT    /users/{id}/follow                  play                   401  200  200  200  200  200  403  200  401  401  401
DELETE /users/{id}/follow                  play                   401  200  200  200  200  200  403  200  401  401  401
PUT    /users/{id}/block                   play                   401  200  200  200  200  200  403  200  401  401  401
DELETE /users/{id}/block                   play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/notifications                   play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/unread                          play                   401  200  200  200  200  200  403  200  401  401  401
POST   /me/notifications/read              play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/notification-settings           play                   401  200  200  200  200  200  403  200  401  401  401
PUT    /me/notification-settings           play                   401  200  200  200  200  200  403  200  401  401  401
PUT    /me/mutes/{on}/{id}                 play                   401  204  204  204  204  204  403  204  401  401  401
DELETE /me/mutes/{on}/{id}                 play                   401  204  204  204  204  204  403  204  401  401  401
GET    /me/events                          -                      401  200  200  200  200  200  403    -  401  401  401
GET    /me/conversations                   -                      401  200  200  200  200  200  403    -  401  401  401
GET    /users/{id}/messages                -                      401  200  200  200  200  200  403    -  401  401  401
POST   /users/{id}/messages                -                      401  201  201  201  201  201  403    -  401  401  401
POST   /users/{id}/messages/read           -                      401  204  204  204  204  204  403    -  401  401  401
POST   /reports                            -                      401  204  204  204  204  204  403    -  401  401  401
GET    /admin/reports                      -                      401  403  403  403  403  200  403    -  401  401  401
POST   /admin/reports/{id}/decide          -                      401  403  403  403  403  204  403    -  401  401  401
POST   /admin/reports/{id}/disclose        -                      401  403  403  403  403  200  403    -  401  401  401
GET    /admin/words                        -                      401  403  403  403  403  200  403    -  401  401  401
POST   /admin/words                        -                      401  403  403  403  403  200  403    -  401  401  401
GET    /admin/words/changes                -                      401  403  403  403  403  200  403    -  401  401  401
POST   /admin/words/try                    -                      401  403  403  403  403  200  403    -  401  401  401
GET    /admin/held                         -                      401  403  403  403  403  200  403    -  401  401  401
GET    /me/decisions                       -                      401  200  200  200  200  200  403    -  401  401  401
POST   /me/decisions/{id}/appeal           -                      401  204  404  204  204  204  403    -  401  401  401
GET    /admin/appeals                      -                      401  403  403  403  403  200  403    -  401  401  401
POST   /admin/appeals/{id}/decide          -                      401  403  403  403  403  204  403    -  401  401  401
GET    /threads/{on}/{id}/comments         -                      200  200  200  200  200  200  200    -  200  200  200
GET    /threads/{on}/{id}/comments/top     -                      200  200  200  200  200  200  200    -  200  200  200
POST   /threads/{on}/{id}/comments         play                   401  201  201  201  201  201  403  201  401  401  401
GET    /comments/{id}/replies              -                      200  200  200  200  200  200  200    -  200  200  200
DELETE /comments/{id}                      play                   401  204  404  204  204  204  403  204  401  401  401
PUT    /comments/{id}/like                 play                   401  200  200  200  200  200  403  200  401  401  401
DELETE /comments/{id}/like                 play                   401  200  200  200  200  200  403  200  401  401  401
POST   /admin/comments/{id}/moderate       -                      401  403  403  403  403  204  403    -  401  401  401
GET    /admin/posts/{id}                   -                      401  403  403  403  403  200  403    -  401  401  401
POST   /admin/posts/{id}/moderate          -                      401  403  403  403  403  200  403    -  401  401  401

GET    /webhooks                           admin                  401  403  403  403  403  200  403  200  401  401  401
POST   /webhooks                           admin                  401  403  403  403  403  201  403  201  401  401  401
GET    /webhooks/{id}                      admin                  401  403  403  403  403  200  403  200  401  401  401
PATCH  /webhooks/{id}                      admin                  401  403  403  403  403  200  403  200  401  401  401
DELETE /webhooks/{id}                      admin                  401  403  403  403  403  204  403  204  401  401  401
POST   /webhooks/{id}/rotate               admin                  401  403  403  403  403  200  403  200  401  401  401
POST   /webhooks/{id}/on                   admin                  401  403  403  403  403  200  403  200  401  401  401
POST   /webhooks/{id}/off                  admin                  401  403  403  403  403  200  403  200  401  401  401
POST   /webhooks/{id}/test                 admin                  401  403  403  403  403  202  403  202  401  401  401
GET    /webhooks/{id}/deliveries           admin                  401  403  403  403  403  200  403  200  401  401  401
POST   /webhooks/{id}/deliveries/{delivery}/replay admin                  401  403  403  403  403  202  403  202  401  401  401
POST   /webhooks/{id}/replay               admin                  401  403  403  403  403  202  403  202  401  401  401
POST   /activities/simulate                read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /grant-rules                        read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /grant-rules                        admin                  401  403  403  201  403  201  403  201  401  401  401
GET    /grant-rules/{id}                   read,admin             401  403  403  200  200  200  403  200  401  401  401
PATCH  /grant-rules/{id}                   admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /grants                             read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /grants/{id}/reverse                admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /me/grants                          play                   401  200  200  200  200  200  403  200  401  401  401
POST   /behaviours                         facts,admin            401  403  403  403  403  200  403  200  401  401  401
POST   /behaviours/{kind}/{id}/undo        facts,admin            401  403  403  403  403  200  403  200  401  401  401

POST   /sales/{id}/captcha                 play                   401  201  201  201  201  201  403  201  401  401  401
POST   /sales/{id}/token                   play                   401  201  201  201  201  201  403  201  401  401  401
POST   /sales/{id}/room                    play                   401  200  200  200  200  200  403  200  401  401  401
GET    /sales/{id}/room                    play                   401  200  200  200  200  200  403  200  401  401  401
GET    /sales/{id}/room/live               play                   401  200  200  200  200  200  403  200  401  401  401
POST   /sales/{id}/attempts                play                   401  202  202  202  202  202  403  202  401  401  401
POST   /attempts                           play                   401  202  202  202  202  202  403  202  401  401  401
GET    /attempts/{id}                      play                   401  200  404  200  200  200  403  200  401  401  401
GET    /attempts/{id}/live                 play                   401  200  404  200  200  200  403  200  401  401  401
GET    /me/orders                          play                   401  200  200  200  200  200  403  200  401  401  401
GET    /me/items                           play                   401  200  200  200  200  200  403  200  401  401  401
GET    /orders/{id}                        play                   401  200  404  200  200  200  403  200  401  401  401
PUT    /orders/{id}/address                play                   401  200  404  200  200  200  403  200  401  401  401
POST   /orders/{id}/cancel                 play                   401  200  404  200  200  200  403  200  401  401  401
POST   /orders/{id}/pay                    play                   401  200  404  200  200  200  403  200  401  401  401
GET    /admin/orders                       read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/orders.csv                   read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /admin/orders/{id}                  read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /admin/orders/{id}/refund           admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /payments/{provider}/callback       -                      401  401  401  401  401  401  401    -  401  401  401

GET    /shop                               -                      200  200  200  200  200  200  200    -  200  200  200
GET    /shop/{id}                          -                      200  200  200  200  200  200  200    -  200  200  200
POST   /shop/{id}/orders                   play                   401  201  201  201  201  201  403  201  401  401  401
GET    /me/shop-orders                     play                   401  200  200  200  200  200  403  200  401  401  401
GET    /shop/offers                        read,admin             401  403  403  200  200  200  403  200  401  401  401
GET    /shop/orders                        read,admin             401  403  403  200  200  200  403  200  401  401  401
POST   /shop/offers                        admin                  401  403  403  201  403  201  403  201  401  401  401
PATCH  /shop/offers/{id}                   admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /shop/offers/{id}/restock           admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /shop/orders/{id}/refund            -                      401  403  403  202  403  202  403    -  401  401  401

GET    /code-pools                         admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /code-pools                         admin                  401  403  403  201  403  201  403  201  401  401  401
GET    /code-pools/{id}                    admin                  401  403  403  200  403  200  403  200  401  401  401
PATCH  /code-pools/{id}                    admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /code-pools/{id}/codes              admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /code-pools/{id}/codes/preview      admin                  401  403  403  200  403  200  403  200  401  401  401
POST   /code-pools/{id}/retire             admin                  401  403  403  200  403  200  403  200  401  401  401
GET    /fulfilments/{id}/code              admin                  401  403  403  200  403  200  403  200  401  401  401
";

/// The columns, in order.
const COLUMNS: &[(&str, Caller)] = &[
    ("anon", Caller::Anonymous),
    ("play", Caller::Player),
    ("othr", Caller::OtherPlayer),
    ("oper", Caller::Staff("operator")),
    ("revw", Caller::Staff("reviewer")),
    ("admn", Caller::Staff("admin")),
    ("wrng", Caller::WrongKey),
    ("rght", Caller::RightKey),
    ("rvkd", Caller::RevokedKey),
    ("bann", Caller::Banned),
    ("expd", Caller::Expired),
];

/// Every scope there is.
pub const SCOPES: [&str; 6] = ["play", "inventory", "fulfil", "facts", "read", "admin"];

#[derive(Clone, Debug)]
pub struct Row {
    pub method: &'static str,
    pub path: &'static str,
    /// Scopes that open it to a key.
    pub scopes: Vec<&'static str>,
    /// Caller and expected status.
    pub cells: Vec<(Caller, u16)>,
}

impl Row {
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Whether players, or anybody, may call it: then it is about their own things.
    pub fn open_to_players(&self) -> bool {
        self.cells.iter().any(|(who, status)| *who == Caller::Player && *status < 300)
    }

    /// Scopes that do not.
    pub fn other_scopes(&self) -> Vec<&'static str> {
        SCOPES.into_iter().filter(|scope| !self.scopes.contains(scope)).collect()
    }
}

pub fn rows() -> Vec<Row> {
    let mut lines = TABLE.lines().filter(|line| !line.trim().is_empty());
    let heading: Vec<&str> = lines.next().unwrap().split_whitespace().skip(1).collect();
    let columns: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    assert_eq!(heading, columns, "the heading names the columns");
    lines.map(row).collect()
}

fn row(line: &'static str) -> Row {
    let words: Vec<&'static str> = line.split_whitespace().collect();
    let [method, path, keys, statuses @ ..] = words.as_slice() else { panic!("not a row: {line}") };
    assert_eq!(statuses.len(), COLUMNS.len(), "a status for every column: {line}");
    let scopes: Vec<&str> = if *keys == "-" { Vec::new() } else { keys.split(',').collect() };
    assert!(scopes.iter().all(|scope| SCOPES.contains(scope)), "an unknown scope: {line}");
    let cells = COLUMNS.iter().zip(statuses).filter(|(_, status)| **status != "-");
    let cells: Vec<(Caller, u16)> = cells.map(|((_, who), status)| (*who, status.parse().unwrap())).collect();
    let has_right = cells.iter().any(|(who, _)| *who == Caller::RightKey);
    assert_eq!(has_right, !scopes.is_empty(), "`rght` where there is a scope, and only there: {line}");
    Row { method, path, scopes, cells }
}
