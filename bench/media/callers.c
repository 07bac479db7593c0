/*
 * Plays many callers of G.711 RTP against a server on this machine, and measures what comes back.
 *
 *   callers CALLERS SPEECH_FILE QUIET_MS WARM_S SECONDS
 *
 * Prints the callers' own ports as one line of JSON, then obeys lines: "INDEX PORT" connects a caller to a port of the
 * server, "INDEX 0" ends its call, "go" starts the clock. Each caller says the file (raw mu-law), is quiet for QUIET_MS,
 * and begins again. Packets are timed by the kernel as they arrive, so that a late turn of this program is no lateness
 * of the server. WARM_S after "go" the line "measuring" is printed, after SECONDS more the result as one line of JSON.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { FRAME = 160, HEADER = 12, PACKET = HEADER + FRAME, MAX_CALLERS = 8192, EVENTS = 256 };
enum { LATE_BINS = 20000, TURN_BINS = 10000 };
/* A packet of sound has more than so many samples above the first segments of the code. */
enum { LOUD_SAMPLES = 20 };

static const double FRAME_MS = 20;

struct caller {
  int socket;
  int is_up;
  double next_ms;
  uint32_t ssrc, timestamp;
  uint16_t sequence;
  int place; /* in the loop, in frames */
  int has_heard;
  uint16_t first_sequence;
  int64_t unwrapped;
  double ideal_ms; /* when its packet with number 0 should have come */
  int is_waiting;
  double spoke_until_ms;
  /* Since when this caller talks over the agent, 0 for not, and when the agent was heard last. */
  double barged_at_ms, agent_heard_ms;
};

static struct caller callers[MAX_CALLERS];
static int caller_count;
static uint8_t *speech;
static int speech_frames, loop_frames;
static int is_measuring;

static long late_bins[LATE_BINS], turn_bins[TURN_BINS], own_bins[LATE_BINS], barge_bins[TURN_BINS];
static long packets, turns, lost, unanswered, barges, sent;
static double most_late_ms, longest_turn_ms, longest_barge_ms;

static double to_ms(struct timespec time) { return time.tv_sec * 1e3 + time.tv_nsec / 1e6; }

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return to_ms(time);
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void count(long *bins, int size, double value) {
  int bin = value < 0 ? 0 : (int)value;
  bins[bin < size ? bin : size - 1]++;
}

static double quantile(const long *bins, int size, double share) {
  long total = 0, seen = 0;
  for (int i = 0; i < size; i++) total += bins[i];
  for (int i = 0; i < size; i++) {
    seen += bins[i];
    if (seen > 0 && seen >= total * share) return i;
  }
  return 0;
}

static void read_speech(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  fseek(file, 0, SEEK_END);
  speech_frames = (int)(ftell(file) / FRAME);
  rewind(file);
  speech = malloc((size_t)speech_frames * FRAME);
  if (fread(speech, FRAME, speech_frames, file) != (size_t)speech_frames) fail(path);
  fclose(file);
}

static int open_caller(int poll, int index) {
  struct caller *one = &callers[index];
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t length = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  one->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (one->socket < 0) fail("socket");
  if (bind(one->socket, (struct sockaddr *)&address, length)) fail("bind");
  if (getsockname(one->socket, (struct sockaddr *)&address, &length)) fail("getsockname");
  int yes = 1;
  if (setsockopt(one->socket, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes)) fail("SO_TIMESTAMPNS");
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
  if (epoll_ctl(poll, EPOLL_CTL_ADD, one->socket, &event)) fail("epoll_ctl");
  one->ssrc = 0x10000 + index;
  return ntohs(address.sin_port);
}

/* Begins a call; what is left of an earlier one is forgotten. */
static void dial(struct caller *one, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(one->socket, (struct sockaddr *)&address, sizeof address)) fail("connect");
  for (uint8_t packet[2048]; recv(one->socket, packet, sizeof packet, 0) >= 0 || errno == ECONNREFUSED;);
  one->is_up = 1;
  one->ssrc += MAX_CALLERS;
  one->has_heard = one->is_waiting = 0;
  one->barged_at_ms = one->agent_heard_ms = 0;
  /* All begin in the pause, each elsewhere in it. */
  one->place = speech_frames + rand() % (loop_frames - speech_frames);
}

/* How long the agent went on talking after this caller had begun to. */
static void count_barge(struct caller *one) {
  if (one->barged_at_ms > 0 && is_measuring) {
    double barge_ms = one->agent_heard_ms - one->barged_at_ms;
    barges++;
    count(barge_bins, TURN_BINS, barge_ms);
    if (barge_ms > longest_barge_ms) longest_barge_ms = barge_ms;
  }
  one->barged_at_ms = 0;
}

static void send_frame(struct caller *one, double time_ms) {
  if (!one->is_up) return;
  sent += is_measuring;
  uint8_t packet[PACKET] = {0x80, 0};
  uint16_t sequence = htons(one->sequence++);
  uint32_t timestamp = htonl(one->timestamp), ssrc = htonl(one->ssrc);
  memcpy(packet + 2, &sequence, 2);
  memcpy(packet + 4, &timestamp, 4);
  memcpy(packet + 8, &ssrc, 4);
  one->timestamp += FRAME;
  if (one->place < speech_frames)
    memcpy(packet + HEADER, speech + one->place * FRAME, FRAME);
  else
    for (int i = 0; i < FRAME; i++) packet[HEADER + i] = rand() & 0x40 ? 0xff : 0xfe;
  /* What the server does not take is its loss: it shows in what comes back. */
  if (send(one->socket, packet, PACKET, 0) < 0 && errno != ECONNREFUSED && errno != EAGAIN) fail("send");
  /* The agent talks if it was heard in one of the last packets. */
  if (one->place == 0 && time_ms - one->agent_heard_ms < 3 * FRAME_MS) one->barged_at_ms = time_ms;
  if (one->place == speech_frames - 1) {
    count_barge(one);
    one->is_waiting = 1;
    one->spoke_until_ms = time_ms;
  }
  if (++one->place < loop_frames) return;
  one->place = 0;
  if (one->is_waiting && is_measuring) unanswered++;
  one->is_waiting = 0;
}

static int is_loud(const uint8_t *payload, int bytes) {
  int loud = 0;
  for (int i = 0; i < bytes; i++) loud += (~payload[i] & 0x70) >= 0x30;
  return loud > LOUD_SAMPLES;
}

static void hear(struct caller *one, const uint8_t *packet, int bytes, double time_ms) {
  if (!one->is_up || bytes <= HEADER || (packet[1] >= 192 && packet[1] <= 223)) return;
  uint16_t sequence = (uint16_t)(packet[2] << 8 | packet[3]);
  if (!one->has_heard) {
    one->has_heard = 1;
    one->first_sequence = sequence;
    one->unwrapped = -1;
    one->ideal_ms = time_ms;
  }
  int64_t expected = one->unwrapped + 1;
  int64_t number = expected + (int16_t)(uint16_t)(sequence - (uint16_t)(one->first_sequence + expected));
  if (number > expected && is_measuring) lost += number - expected;
  if (number > one->unwrapped) one->unwrapped = number;
  double late_ms = time_ms - (one->ideal_ms + number * FRAME_MS);
  /* The quickest packet shows where the clock of the server stands. */
  if (late_ms < 0) {
    one->ideal_ms += late_ms;
    late_ms = 0;
  }
  if (is_measuring) {
    packets++;
    count(late_bins, LATE_BINS, late_ms * 10);
    if (late_ms > most_late_ms) most_late_ms = late_ms;
  }
  if (!is_loud(packet + HEADER, bytes - HEADER)) return;
  one->agent_heard_ms = time_ms;
  if (!one->is_waiting) return;
  one->is_waiting = 0;
  if (!is_measuring) return;
  double turn_ms = time_ms - one->spoke_until_ms;
  turns++;
  count(turn_bins, TURN_BINS, turn_ms);
  if (turn_ms > longest_turn_ms) longest_turn_ms = turn_ms;
}

static void receive(struct caller *one) {
  for (;;) {
    uint8_t packet[2048];
    char control[256];
    struct iovec part = {packet, sizeof packet};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control};
    message.msg_controllen = sizeof control;
    ssize_t bytes = recvmsg(one->socket, &message, 0);
    if (bytes < 0) return;
    double time_ms = now_ms();
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head))
      if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SO_TIMESTAMPNS)
        time_ms = to_ms(*(struct timespec *)CMSG_DATA(head));
    hear(one, packet, (int)bytes, time_ms);
  }
}

static void print_result(void) {
  printf("{\"packets\":%ld,\"lost\":%ld,\"turns\":%ld,\"unanswered\":%ld,", packets, lost, turns, unanswered);
  printf("\"lateP50Ms\":%.1f,\"lateP99Ms\":%.1f,\"lateMaxMs\":%.1f,", quantile(late_bins, LATE_BINS, 0.5) / 10,
         quantile(late_bins, LATE_BINS, 0.99) / 10, most_late_ms);
  printf("\"turnP50Ms\":%.0f,\"turnP95Ms\":%.0f,\"turnMaxMs\":%.0f,", quantile(turn_bins, TURN_BINS, 0.5),
         quantile(turn_bins, TURN_BINS, 0.95), longest_turn_ms);
  printf("\"barges\":%ld,\"bargeP50Ms\":%.0f,\"bargeP95Ms\":%.0f,\"bargeMaxMs\":%.0f,", barges,
         quantile(barge_bins, TURN_BINS, 0.5), quantile(barge_bins, TURN_BINS, 0.95), longest_barge_ms);
  printf("\"ownP99Ms\":%.1f,\"callSeconds\":%.2f}\n", quantile(own_bins, LATE_BINS, 0.99) / 10, sent * FRAME_MS / 1e3);
}

/* Obeys the lines that have come; true after "go". */
static int obey(void) {
  static char text[1 << 16];
  static size_t length;
  int has_gone = 0;
  ssize_t bytes = read(STDIN_FILENO, text + length, sizeof text - length);
  if (bytes > 0) length += (size_t)bytes;
  char *from = text, *end;
  while ((end = memchr(from, '\n', text + length - from))) {
    int index, port;
    *end = 0;
    if (strcmp(from, "go") == 0) has_gone = 1;
    if (sscanf(from, "%d %d", &index, &port) == 2 && index >= 0 && index < caller_count) {
      if (port > 0) dial(&callers[index], port);
      else callers[index].is_up = 0;
    }
    from = end + 1;
  }
  length -= (size_t)(from - text);
  memmove(text, from, length);
  return has_gone;
}

static void open_callers(int poll, int number) {
  caller_count = number;
  double start_ms = now_ms() + 100;
  for (int i = 0; i < number; i++) {
    /* In the order of their times, so that the next one due is always the next one in the row. */
    callers[i].next_ms = start_ms + FRAME_MS * i / number;
    printf("%c%d", i ? ',' : '[', open_caller(poll, i));
  }
  printf("]\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  int number = argc == 6 ? atoi(argv[1]) : 0;
  if (number < 1 || number > MAX_CALLERS) {
    fprintf(stderr, "usage: callers CALLERS SPEECH_FILE QUIET_MS WARM_S SECONDS\n");
    return 2;
  }
  read_speech(argv[2]);
  loop_frames = speech_frames + atoi(argv[3]) / (int)FRAME_MS;
  int poll = epoll_create1(0);
  srand(42);
  fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  open_callers(poll, number);
  double measure_ms = INFINITY, end_ms = INFINITY;
  struct epoll_event events[EVENTS];
  for (int next = 0;;) {
    double time_ms = now_ms();
    if (time_ms >= end_ms) break;
    if (!is_measuring && time_ms >= measure_ms) {
      is_measuring = 1;
      printf("measuring\n");
      fflush(stdout);
    }
    if (obey()) {
      measure_ms = time_ms + atof(argv[4]) * 1e3;
      end_ms = measure_ms + atof(argv[5]) * 1e3;
    }
    while (callers[next].next_ms <= time_ms) {
      struct caller *one = &callers[next];
      if (is_measuring) count(own_bins, LATE_BINS, (time_ms - one->next_ms) * 10);
      send_frame(one, now_ms());
      one->next_ms += FRAME_MS;
      next = (next + 1) % caller_count;
    }
    double wait_ms = callers[next].next_ms - now_ms();
    if (wait_ms < 0) wait_ms = 0;
    if (wait_ms > 2) wait_ms = 2;
    struct timespec wait = {0, (long)(wait_ms * 1e6)};
    int ready = epoll_pwait2(poll, events, EVENTS, &wait, NULL);
    for (int i = 0; i < ready; i++) receive(&callers[events[i].data.u32]);
  }
  print_result();
  return 0;
}
