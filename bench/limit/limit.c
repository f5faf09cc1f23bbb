/*
 * limit answers every request with the same bytes: the least that any server of these protocols has to do. One thread,
 * epoll, level-triggered; one read, one scan for where requests end and one write per readiness.
 *
 *     limit MODE PORT
 *
 * line  a request ends with a newline, as JSON-RPC over TCP does here
 * http  POST with Content-Length, kept alive; the body is not looked at
 * bulk  a request of megabytes ends where a read ends with a newline; nothing is scanned
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 512, SHARED = 64 << 10, OWN = 4 << 20, REPLIES = 64 << 10 };

struct mode {
	const char *name;
	size_t (*end)(const char *p, size_t n); /* the length of the first request; 0: not whole */
	const char *reply;
};

/* A connection owns memory only once a request of it came in pieces, so that an idle one costs nothing. */
struct conn {
	int fd;
	char *own;
	size_t held;
};

static char shared[SHARED], replies[REPLIES];

static size_t line_end(const char *p, size_t n) {
	const char *nl = memchr(p, '\n', n);
	return nl ? (size_t)(nl - p) + 1 : 0;
}

static size_t bulk_end(const char *p, size_t n) { return p[n - 1] == '\n' ? n : 0; }

static size_t http_end(const char *p, size_t n) {
	static const char field[] = "\r\nContent-Length: ";
	const char *blank = memmem(p, n, "\r\n\r\n", 4);
	if (!blank)
		return 0;
	const char *length = memmem(p, (size_t)(blank - p), field, sizeof field - 1);
	size_t whole = (size_t)(blank - p) + 4 + (length ? strtoul(length + sizeof field - 1, NULL, 10) : 0);
	return whole <= n ? whole : 0;
}

static const struct mode modes[] = {
	{"line", line_end, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":65}\n"},
	{"http", http_end,
	 "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n"
	 "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":65}"},
	{"bulk", bulk_end, "{\"result\":1600}\n"},
};

static void die(const char *what) {
	perror(what);
	exit(1);
}

static void end_conn(struct conn *c) {
	close(c->fd);
	free(c->own);
	free(c);
}

/* keep holds n bytes of an unfinished request for the next read. */
static int keep(struct conn *c, const char *rest, size_t n) {
	if (n > 0 && !c->own && !(c->own = malloc(OWN)))
		return -1;
	if (n > 0)
		memmove(c->own, rest, n);
	c->held = n;
	return 0;
}

/* answer reads once and replies to every whole request. It returns -1 when the connection is over. */
static int answer(const struct mode *m, struct conn *c) {
	char *in = c->own ? c->own : shared;
	size_t room = c->own ? OWN - c->held : SHARED, size = strlen(m->reply), out = 0, done = 0, one;
	ssize_t got = read(c->fd, in + c->held, room);
	if (got <= 0)
		return got < 0 && errno == EAGAIN ? 0 : -1;
	size_t have = c->held + (size_t)got;
	while (done < have && out + size <= REPLIES && (one = m->end(in + done, have - done)) > 0) {
		memcpy(replies + out, m->reply, size);
		out += size;
		done += one;
	}
	if (keep(c, in + done, have - done) < 0)
		return -1;
	return out == 0 || write(c->fd, replies, out) == (ssize_t)out ? 0 : -1; /* a peer that does not read is cut */
}

static void accept_one(int ep, int listener) {
	int on = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	if (fd < 0)
		return;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	struct conn *c = calloc(1, sizeof *c);
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
	if (!c)
		die("calloc");
	c->fd = fd;
	if (epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e) < 0)
		end_conn(c);
}

static int listen_at(int port) {
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
	int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(fd, (struct sockaddr *)&a, sizeof a) < 0 || listen(fd, 4096) < 0)
		die("listen");
	return fd;
}

static void serve(const struct mode *m, int listener) {
	int ep = epoll_create1(0);
	struct epoll_event e = {.events = EPOLLIN}, ready[EVENTS];
	epoll_ctl(ep, EPOLL_CTL_ADD, listener, &e);
	for (;;) {
		int n = epoll_wait(ep, ready, EVENTS, -1);
		for (int i = 0; i < n; i++) {
			struct conn *c = ready[i].data.ptr;
			if (!c)
				accept_one(ep, listener);
			else if (answer(m, c) < 0)
				end_conn(c);
		}
	}
}

int main(int argc, char **argv) {
	struct rlimit files;
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	for (size_t i = 0; argc == 3 && i < sizeof modes / sizeof *modes; i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			serve(&modes[i], listen_at(atoi(argv[2])));
	fprintf(stderr, "usage: limit line|http|bulk PORT\n");
	return 2;
}
