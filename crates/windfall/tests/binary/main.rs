//! The `windfall` binary as its users meet it: started, asked over HTTP, stopped, killed and started again.
//!
//! Every test runs the real program on a folder and a port of its own; nothing is mocked.
//!
//! | module | what it shows |
//! | --- | --- |
//! | [`access`] | who may do what: every endpoint × every kind of caller, in one table |
//! | [`abuse`] | what strangers try to stop it with, and a stop in the middle of requests |
//! | [`bad_input`], [`wrong_codes`] | what is refused, by name, and that nothing is half-written |
//! | [`hole_61`], [`hole_63`], [`hole_70`], [`lock_out`], [`second_factor`] | sign-in, passwords, ownership and deletion, where others went wrong |
//! | [`hole_66`], [`hole_68`], [`hole_69`] | what was told stays so: at a hold's end, while rows are behind, and when the clock was wrong |
//! | [`readme`], [`sign_in`] | the ways in, first of all as the READMEs tell |
//! | [`life`] | stop, kill and start again |
//! | [`durable`] | what is told is on the disk, by the kernel's own account |
//! | [`kill`] | killed under load, again and again: nothing told is missing, nothing is oversold |
//! | [`backup`] | copies, restored and compared; a standby that is promoted |
//! | [`commands`], [`admin`], [`encryption`], [`inventory_cli`], [`bench`] | the command line |
//! | [`deploy`], [`metrics`], [`tls`], [`webhook`], [`webhooks`] | how it meets the world around it |
//! | [`idempotency`], [`four_eyes`] | same key, same answer; a second person decides |
//! | [`stock`], [`auditor`], [`reconcile`] | the ledger with its projection, and what holds the two against each other |
//! | [`inventory`] | stock over the API: pools, holds, batches, streams |
//! | [`activities`] | activities: their life, versions and secrets, and how the ledger hears of them |
//! | [`raffles`] | from the closed round to winners that anybody can draw again |
//! | [`fulfilment`] | from a win to the hand of its winner |
//! | [`grants`] | from what somebody did to what a rule gives for it |
//! | [`power`] | what nobody does alone: keys, rules, refunds, one's own account |
//! | [`sales`] | attempts, orders and payments of flash sales |
//! | [`shop`] | points for chances, codes and goods |
//! | [`cluster`] | several nodes on one PostgreSQL: killed, paused and stopped while others ask |
//! | [`gate`] | in front of a sale: tokens, pictures, the waiting room |
//! | [`sale_crowd`] | a crowd in front of a sale, and a server that is killed in the middle of it |
//! | [`community`] | posts, likes, votes, who follows whom, and what moderators do |
//! | [`codes`] | redeem codes: imported once, given once, seen by whoever may |
//! | [`trees`], [`block_list`] | rule trees and what they say of facts; who is kept from winning |
//! | [`documents`] | the pages in docs/ beside what the program has |
//! | [`attention`] | what is stuck is listed, and told to those who do not look |
//! | [`limits`] | how often, and on whose account |

// A test that cannot go on stops where it is.
#![allow(clippy::unwrap_used)]

mod abuse;
mod access;
mod activities;
mod admin;
mod attention;
mod auditor;
mod backend;
mod backup;
mod bad_input;
mod bench;
mod block_list;
mod client;
mod cluster;
mod codes;
mod commands;
mod community;
mod deploy;
mod documents;
mod draws;
mod durable;
mod encryption;
mod four_eyes;
mod fulfilment;
mod gate;
mod grants;
mod hole_61;
mod hole_63;
mod hole_66;
mod hole_68;
mod hole_69;
mod hole_70;
mod idempotency;
mod inventory;
mod inventory_cli;
mod kill;
mod life;
mod limits;
mod lock_out;
mod metrics;
mod pages;
mod people;
mod points;
mod power;
mod process;
mod raffles;
mod readme;
mod reconcile;
mod sale_crowd;
mod sales;
mod second_factor;
mod share_cards;
mod shop;
mod sign_in;
mod simulate;
mod statistics;
mod stock;
mod stock_contract;
mod stream;
mod tls;
mod trees;
mod verify;
mod webhook;
mod webhooks;
mod wrong_codes;
