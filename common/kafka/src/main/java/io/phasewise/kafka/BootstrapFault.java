/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.BootstrapResolutionException;

/**
 * Says what is wrong with bootstrap addresses with which no client can be made. Kafka's own message
 * says only that making the client failed, and its causes do not name the address.
 */
public final class BootstrapFault {

    private static final String ALLOWED = ": allowed is HOST:PORT,HOST:PORT,...";

    private final boolean isUnknownHost;
    private final String text;

    private BootstrapFault(boolean isUnknownHost, String text) {
        this.isUnknownHost = isUnknownHost;
        this.text = text;
    }

    /**
     * Looks whether a failure is about the addresses.
     *
     * @param failure as a client threw it, when it was made or later
     * @param servers its {@code bootstrap.servers}
     * @return empty where it is about something else
     */
    public static Optional<BootstrapFault> of(Throwable failure, String servers) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            if (each instanceof BootstrapResolutionException || message.contains("No resolvable bootstrap urls")) {
                String hosts = servers.contains(",") ? ": no host is known here" : ": the host is not known here";
                return Optional.of(new BootstrapFault(true, servers + hosts + " (DNS, /etc/hosts)"));
            }
            if (message.contains("Invalid url in bootstrap.servers")
                    || message.contains("Invalid port in bootstrap.servers")) {
                return Optional.of(new BootstrapFault(false, servers + ALLOWED));
            }
            if (each instanceof ConfigException && message.contains("bootstrap")) {
                return Optional.of(new BootstrapFault(false, servers + ALLOWED + " (" + message + ")"));
            }
        }
        return Optional.empty();
    }

    /** Whether DNS does not know the hosts; otherwise the addresses are not written as they must be. */
    public boolean isUnknownHost() {
        return isUnknownHost;
    }

    /** One line, which names the addresses. */
    public String text() {
        return text;
    }
}
