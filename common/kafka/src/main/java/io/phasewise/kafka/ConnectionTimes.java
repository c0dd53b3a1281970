/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * How long a Kafka client of the project waits at first for a connection that it has begun, and an
 * admin client for one that is silent, unless its user says so; all other settings are left to the
 * clients' owners.
 *
 * <p>A client without a connection begins one to any broker, and begins no other until that one is
 * made or given up. Where the packets to a broker's address get lost, Kafka's default is to give up
 * after 10 s at first; every request meanwhile waits or times out. Here it is 2 s. TCP sends its
 * first packet again after 1 s, so a single lost packet does not cost the connection.
 *
 * <p>The time runs until the broker has let the client in: TLS and SASL are within it. Kafka
 * doubles it with each failure, up to 30 s, and so does a client of the project. With a lower upper
 * limit, a broker that is too busy to complete a login within it would get one handshake after
 * another. A handshake is the most costly request there is, and no login would ever succeed.
 */
public final class ConnectionTimes {
    private static final String FIRST = CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG;
    private static final String MOST = CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG;
    private static final String IDLE = CommonClientConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG;

    private ConnectionTimes() {}

    /**
     * Adds the time to the properties of a client. Where the user has set it or the time it grows to,
     * nothing is added: the two belong together.
     *
     * @param properties of an admin client, a producer or a consumer, with the user's; changed
     */
    public static void bound(Map<String, Object> properties) {
        if (List.of(FIRST, MOST).stream().noneMatch(properties::containsKey)) {
            properties.put(FIRST, "2000");
        }
    }

    /**
     * Adds to the properties of an admin client, unless they have it, after which time a connection
     * without traffic is closed: 30 s.
     *
     * <p>Kafka's admin client does not limit the time until a broker that has taken the connection
     * answers its first request (producers and consumers do: 30 s). While it waits for that it asks
     * no other broker, as it prefers connections that are being made. So one broker that takes
     * connections and never answers kept it from the whole cluster until Kafka's default of five
     * minutes for idle connections had passed.
     *
     * @param properties changed
     */
    public static void endSilent(Map<String, Object> properties) {
        properties.putIfAbsent(IDLE, "30000");
    }
}
