-- Applications, their customers, and their data stores with records. Rows are locked in this order: application, store,
-- customer, record. The deletion of a store or a customer also makes other such deletions of the application wait.

-- Applications, which own customers and data stores.
create table applications (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  key text not null,
  name text not null,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, key)
);

-- Customers of an application.
create table application_customers (
  workspace_id uuid not null,
  application_id uuid not null,
  id uuid not null,
  name text,
  email text,
  phone text,
  external_id text,
  -- JSON as it was sent, so that numbers keep their digits
  fields text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, application_id, id),
  unique (workspace_id, application_id, external_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index application_customers_phone on application_customers (workspace_id, application_id, phone)
  where phone is not null;

-- Data stores of an application. A built-in store has a row too, made with its application, so that no custom store can
-- take its key.
create table data_stores (
  workspace_id uuid not null,
  application_id uuid not null,
  key text not null,
  id uuid not null,
  name text not null,
  kind text not null,
  schema json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, application_id, key),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

-- Records of a data store.
create table data_records (
  workspace_id uuid not null,
  application_id uuid not null,
  store_key text not null,
  id uuid not null,
  -- JSON as it was sent, so that numbers keep their digits
  fields text not null,
  metadata text,
  customer_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, application_id, store_key, id),
  foreign key (workspace_id, application_id, store_key) references data_stores (workspace_id, application_id, key)
    on delete cascade,
  foreign key (workspace_id, application_id, customer_id)
    references application_customers (workspace_id, application_id, id) on delete set null (customer_id)
);
create index data_records_customer on data_records (workspace_id, application_id, customer_id)
  where customer_id is not null;
