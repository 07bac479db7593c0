-- The provider a number was asked from. `provider` stays who carries its calls: in a SANDBOX workspace that is always
-- the sandbox, whatever was asked for (design section 3: such a workspace never reaches a carrier).
alter table phone_numbers add column asked_provider text not null default 'SANDBOX';
-- Of a BYO_SIP number: the trunk without its password, which is sealed beside it.
alter table phone_numbers add column sip_trunk json;
alter table phone_numbers add column sip_secret bytea;
