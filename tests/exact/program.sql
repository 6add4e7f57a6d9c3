-- SPDX-License-Identifier: GPL-2.0-only
-- Two of these want the same file.
.timeout 200
create table if not exists words (n integer primary key, word text);
begin immediate;
insert into words (word) with recursive i(n) as (select 1 union all select n + 1 from i where n < 500)
	select hex(randomblob(8)) from i;
commit;
select count(*), max(word) from words where word like '%A%';
delete from words where n % 3;
vacuum;
