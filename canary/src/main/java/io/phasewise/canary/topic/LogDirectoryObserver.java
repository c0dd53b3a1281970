/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeLogDirsOptions;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Asks a broker which of its log directories have failed; when to ask is left to the caller. Used
 * by one thread.
 */
public final class LogDirectoryObserver {
    /** Short, as the thread that waits for the answer has to look at the cluster. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Supplier<? extends Admin> admin;

    /**
     * @param admin the client in use; not closed by this
     */
    public LogDirectoryObserver(Supplier<? extends Admin> admin) {
        this.admin = admin;
    }

    /**
     * What is wrong, for the reader.
     *
     * @param broker its id
     * @return which directories have failed, or that this user may not see it; empty when none has,
     *     or the broker does not answer
     */
    public Optional<String> fault(int broker) throws InterruptedException {
        DescribeLogDirsOptions options = new DescribeLogDirsOptions().timeoutMs((int) TIMEOUT.toMillis());
        Map<String, LogDirDescription> all;
        try {
            all = Failures.get(admin.get()
                    .describeLogDirs(List.of(broker), options)
                    .descriptions()
                    .get(broker));
        } catch (AuthorizationException e) {
            return Optional.of("whether a log directory has failed there can be seen only by a user with Describe on"
                    + " the cluster; the canary's user does not have that right");
        } catch (KafkaException e) {
            return Optional.empty();
        }
        TreeSet<String> failed = new TreeSet<>();
        all.forEach((directory, description) -> {
            if (description.error() != null) {
                failed.add(directory);
            }
        });
        return failed.isEmpty()
                ? Optional.empty()
                : Optional.of("log directory " + String.join(", ", failed)
                        + " of that broker is offline: mend the disk and restart the broker");
    }
}
