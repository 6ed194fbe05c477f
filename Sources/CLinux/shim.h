// What Linux has and the Glibc module does not export, and macros as functions.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// epoll_data_t is a union, which Swift can only fill through its members' memory.
static inline int belfry_epoll_set(int epoll, int operation, int fd, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data = {.u64 = data}};
    return epoll_ctl(epoll, operation, fd, &event);
}
static inline uint64_t belfry_epoll_data(const struct epoll_event *event) { return event->data.u64; }
static inline int64_t belfry_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
// The constant of getrlimit is an enumeration that Swift and C do not agree on.
static inline int belfry_descriptor_limit(struct rlimit *limit) { return getrlimit(RLIMIT_NOFILE, limit); }
static inline int belfry_set_descriptor_limit(const struct rlimit *limit) { return setrlimit(RLIMIT_NOFILE, limit); }
// Linux keeps the first 15 bytes.
static inline void belfry_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
// Declared by glibc only for _GNU_SOURCE, which a module cannot define for another one.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
static inline int belfry_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
