-- True: an identity provider signed the person in and answers for their second factor, so none is asked for here.
alter table user_sessions add column has_provider_factor boolean not null default false;
