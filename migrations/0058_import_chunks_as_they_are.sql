-- A list is kept for the seconds until its import: packing it costs more than the room that it takes.
alter table import_chunks alter column data set storage external;
