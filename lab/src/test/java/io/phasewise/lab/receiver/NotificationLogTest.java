/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotificationLogTest {

    private final NotificationLog log = new NotificationLog(2);

    private Notification add() {
        return log.add(id -> new Notification(id, Instant.EPOCH, "firing", "local", List.of()));
    }

    @Test
    void theOldestGoesWhenThereIsNoRoom() {
        add();
        Notification second = add();
        Notification third = add();

        assertThat(log.newestAfter(0)).containsExactly(third, second);
    }

    @Test
    void onlyWhatIsNewerIsGivenOnRequest() {
        Notification first = add();
        Notification second = add();

        assertThat(log.newestAfter(first.id())).containsExactly(second);
        assertThat(log.newestAfter(second.id())).isEmpty();
    }
}
