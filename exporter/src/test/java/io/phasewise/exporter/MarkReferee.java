/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the marks of all brokers and holds them to the clock that all processes of a host share:
 * only a test may do that.
 */
final class MarkReferee {

    /** A record, and when the producer was told to send it and had its acknowledgement. */
    record Sent(int partition, long offset, long dispatched, long acknowledged) {}

    /** A mark, and the start of the broker that tells of it. */
    private record Told(String boot, RecordMark mark) {}

    private final ExportingCluster cluster;
    private final Map<Integer, MarkPage> last = new HashMap<>();
    private final Set<String> boots = new HashSet<>();
    private final List<Told> records = new ArrayList<>();
    private final Map<String, RequestMark> requests = new HashMap<>();

    MarkReferee(ExportingCluster cluster) {
        this.cluster = cluster;
    }

    /** Reads what is new; a broker that does not answer now is asked again next time. */
    void read() throws InterruptedException {
        for (int broker : cluster.brokers()) {
            try {
                MarkPage before = last.get(broker);
                MarkPage page = cluster.marks(broker, before == null ? 0 : before.sequence);
                if (before != null && !page.boot.equals(before.boot)) {
                    page = cluster.marks(broker, 0);
                }
                assertThat(page.missed).isZero();
                boots.add(page.boot);
                last.put(broker, page);
                for (RecordMark mark : page.records) {
                    records.add(new Told(page.boot, mark));
                }
                for (RequestMark request : page.requests) {
                    requests.put(page.boot + request.received, request);
                }
            } catch (IOException down) {
                continue;
            }
        }
    }

    /** How often brokers started. */
    int starts() {
        return boots.size();
    }

    /**
     * Every record's passage is in order, from the producer's call to its acknowledgement.
     *
     * @return how many of the records have a mark; none has two
     */
    int inOrder(Collection<Sent> all, String topicId) {
        int marked = 0;
        for (Sent sent : all) {
            List<Told> found =
                    records.stream().filter(told -> isOf(sent, told.mark)).toList();
            assertThat(found).hasSizeLessThan(2);
            if (!found.isEmpty() && inOrder(sent, found.get(0), topicId)) {
                marked++;
            }
        }
        return marked;
    }

    private static boolean isOf(Sent sent, RecordMark mark) {
        return mark.partition == sent.partition && mark.firstOffset <= sent.offset && sent.offset <= mark.lastOffset;
    }

    private boolean inOrder(Sent sent, Told told, String topicId) {
        RecordMark mark = told.mark;
        RequestMark request = requests.get(told.boot + mark.received);
        assertThat(mark.topicId).isEqualTo(topicId);
        assertThat(mark.arrivals.values()).isNotEmpty().allMatch(at -> at >= mark.appended && at <= mark.committed);
        if (request == null) {
            return false;
        }
        assertThat(List.of(
                        sent.dispatched,
                        mark.received,
                        request.dequeued,
                        mark.appendBegan,
                        mark.appended,
                        mark.committed,
                        request.completed,
                        request.answered,
                        sent.acknowledged))
                .isSorted();
        return true;
    }
}
