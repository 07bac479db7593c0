-- When calls of a LIVE workspace may go out that bring no window of their own: 08:00-21:00 by the called person's clock, the
-- usual legal frame. Null: at any hour. SANDBOX workspaces, whose calls cannot leave, ignore it.
alter table workspaces add column calling_window jsonb;
update workspaces
   set calling_window = '{"timeZoneMode": "RECIPIENT", "timeZone": null, "excludeDates": [],
         "windows": [{"days": ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], "start": "08:00", "end": "21:00"}]}'
 where mode = 'LIVE';
