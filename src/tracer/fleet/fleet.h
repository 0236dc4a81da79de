/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fleet - one program on many machines, one answer (dtrace --on)
 *
 *   dtrace --on web1,web2 -n '...'      the asker: fleet.c, host.c, rounds.c, said.c
 *   ssh -T web1 dtrace --agent          an agent for each host: agent.c
 *
 * The asker starts a transport for each host, a command that runs `dtrace --agent` there, and sends
 * the program as text.  An agent compiles and loads it, and says that it is ready; when all are, or
 * have failed, probes fire on all hosts at once.  Records and aggregations arrive as a source for
 * each host (remote/remote.h), so what merges and prints them is the code of one machine.
 *
 *   fleet.c    the asker's session: start, go, rounds, the end
 *   request.c  what agents are asked, and how hosts are reached
 *   sources.c  the hosts as sources of one consumer
 *   table.c    the table of hosts
 *   host.c     a host: its transport, the frames both ways, the difference of its clock
 *   rounds.c   records of BEGIN, END and tick clauses: once for all hosts
 *   said.c     what hosts and transports print on standard error: equal lines once
 *   agent.c    the other side
 *
 * Clauses run on each host.  What is done with aggregations (printa, clear, trunc, normalize) is
 * done by the asker with the merged values.  In BEGIN, END and tick clauses it is done once a
 * *round*: when each host has fired the clause for the k-th time, or onslack after the first one.
 * Records of a round that are equal on all hosts are one; others name their host.
 *
 * Always true:
 *   1. No probe fires before all hosts are ready or have failed, and enough are ready (onneed).
 *   2. A host that fails or is lost is named, with its transport's last words, and the exit status
 *      is FLEET_INCOMPLETE.  What it has sent stays in the answer.
 *   3. An agent whose standard input ends stops as by ^C.
 *
 * To send something more: a frame (remote/remote.h), agent.c, and frame_take() of remote/mirror.c.
 */
#ifndef TRACER_FLEET_FLEET_H
#define TRACER_FLEET_FLEET_H

#define HOST_NAME_MOST 255 /* bytes of a name in --on */
#define FLEET_INCOMPLETE 3 /* the exit status: not all hosts have answered */

#endif
