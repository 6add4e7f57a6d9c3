# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
#
# How the programs of the mix are started and kept busy, in the guest; to be sourced. begin_NAME
# starts one with its load and says in $exe which program's processes are
# looked at; it returns when they work. Whatever it starts is killed by whoever called it.

export PATH=/usr/sbin:/usr/bin:/sbin:/bin
cd /work || exit

# ready COMMAND...: once it succeeds
ready() {
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 120 ] || { echo "never ready: $*" >&2; return 1; }
		sleep 0.5
	done
}

# again COMMAND...: for ever
again() {
	while :; do
		"$@"
	done >/dev/null 2>&1 &
}

begin_sqlite3() {
	exe=/usr/bin/sqlite3
	while :; do
		echo 'BEGIN; INSERT INTO t VALUES (hex(randomblob(2000))); COMMIT; SELECT count(*) FROM t WHERE text LIKE "%ABC%";'
	done | sqlite3 -cmd 'CREATE TABLE t (text TEXT);' /work/sqlite.db >/dev/null &
}

begin_postgres() {
	exe=/usr/lib/postgresql/15/bin/postgres
	bin=${exe%/*}
	mkdir -p /run/postgresql
	chown postgres /run/postgresql
	runuser -u postgres -- $exe -D /var/lib/postgresql/15/main \
		-c config_file=/etc/postgresql/15/main/postgresql.conf >/work/postgres.log 2>&1 &
	ready runuser -u postgres -- psql -c 'SELECT 1'
	ready runuser -u postgres -- "$bin/pgbench" -q -i -s 1
	again runuser -u postgres -- "$bin/pgbench" -n -c 2 -T 100000
}

begin_mariadbd() {
	exe=/usr/sbin/mariadbd
	mkdir -p /run/mysqld
	chown mysql /run/mysqld
	$exe --user=mysql >/work/mariadb.log 2>&1 &
	ready mariadb-admin ping
	again mariadb-slap --auto-generate-sql --auto-generate-sql-load-type=mixed \
		--auto-generate-sql-add-autoincrement --concurrency=2 --number-of-queries=2000
}

begin_redis_server() {
	redis-server --appendonly yes --appendfsync everysec --dir /work >/work/redis.log 2>&1 &
	exe=$(readlink -f /usr/bin/redis-server)
	ready redis-cli ping
	again redis-benchmark -q -n 20000 -c 10 -r 1000
}

begin_nginx() {
	exe=/usr/sbin/nginx
	cat >/work/nginx.conf <<-END
		worker_processes 2;
		pid /work/nginx.pid;
		events { worker_connections 64; }
		http {
			access_log /work/nginx.access;
			server { listen 8081; root /usr/share/nginx/html; gzip on; gzip_types *; }
		}
	END
	mkdir -p /var/lib/nginx /var/log/nginx
	$exe -c /work/nginx.conf -g 'daemon off;' >/work/nginx.log 2>&1 &
	ready ab -n 1 http://127.0.0.1:8081/
	again ab -n 1000 -c 4 -H 'Accept-Encoding: gzip' http://127.0.0.1:8081/
}

begin_apache2() {
	exe=/usr/sbin/apache2
	mkdir -p /run/apache2 /var/log/apache2
	sed -i 's/^Listen 80$/Listen 8082/' /etc/apache2/ports.conf
	# shellcheck disable=SC1091 # of the guest
	(. /etc/apache2/envvars && exec $exe -DFOREGROUND) >/work/apache.log 2>&1 &
	ready ab -n 1 http://127.0.0.1:8082/
	again ab -n 1000 -c 4 http://127.0.0.1:8082/
}

begin_python3() {
	exe=$(readlink -f /usr/bin/python3)
	cat >/work/load.py <<-END
		import json, re, sqlite3, threading, time
		def work():
		    database = sqlite3.connect("/work/python-%d.db" % threading.get_ident())
		    database.execute("CREATE TABLE IF NOT EXISTS t (text TEXT)")
		    while True:
		        data = {str(i): [i] * 10 for i in range(200)}
		        text = json.dumps(data)
		        re.sub("[0-9]+", lambda match: match.group()[::-1], text)
		        sorted(data, key=lambda key: (time.sleep(0.00002), key))
		        database.execute("INSERT INTO t VALUES (?)", (text,))
		        database.commit()
		for _ in range(2):
		    threading.Thread(target=work).start()
		work()
	END
	$exe /work/load.py &
}

begin_perl() {
	exe=/usr/bin/perl
	cat >/work/load.pl <<-'END'
		while (1) {
			my %words;
			$words{$_ * 7919 % 500}++ for 1 .. 2000;
			my @sorted = sort { select(undef, undef, undef, 0.0002); $a <=> $b } 1 .. 5, 3, 2;
			my $text = join ',', map { "word $_" } keys %words;
			$text =~ s/(\d+)/reverse $1/ge;
			open my $file, '>', '/work/perl.out' or die;
			print $file $text;
			close $file;
		}
	END
	$exe /work/load.pl &
}

begin_node() {
	exe=$(readlink -f /usr/bin/node)
	cat >/work/load.js <<-'END'
		const fs = require('fs'), zlib = require('zlib');
		function wait(n) {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, n);
		}
		function dive(depth) {
			if (depth === 0) {
				wait(0.2);
				return 0;
			}
			return dive(depth - 1) + 1;
		}
		function round() {
			let words = {};
			for (let i = 0; i < 2000; i++)
				words['word ' + i * 7919 % 500] = i;
			dive(10);
			fs.writeFileSync('/work/node.out', JSON.stringify(words));
			zlib.gzip(JSON.stringify(words), () => setTimeout(round, 0));
			[3, 1, 2].sort((a, b) => { wait(0.2); return a - b; });
		}
		round();
	END
	$exe /work/load.js &
	sleep 5
}

begin_qemu() {
	exe=$(readlink -f /usr/bin/qemu-system-x86_64)
	$exe -display none -nodefaults -m 64 -serial none -monitor none &
	sleep 5
}

begin_program() {
	exe=/programs/$1
	$exe &
}

begin_exceptions() { begin_program exceptions; }
begin_panics() { begin_program panics; }
begin_static_pie() { begin_program static-pie; }
begin_goroutines() { begin_program goroutines; }
begin_goroutines_gcc() { begin_program goroutines-gcc; }
begin_musl() { begin_program musl; }
begin_narrow() { begin_program narrow; }
