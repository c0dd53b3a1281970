/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.GetTelemetrySubscriptionsRequestData;
import org.apache.kafka.common.message.PushTelemetryRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.GetTelemetrySubscriptionsRequest;
import org.apache.kafka.common.requests.GetTelemetrySubscriptionsResponse;
import org.apache.kafka.common.requests.PushTelemetryRequest;
import org.apache.kafka.common.requests.PushTelemetryResponse;
import org.apache.kafka.common.requests.RequestHeader;

/** A client that pushes to a broker whatever bytes it is given, as no library would. */
final class RawClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;
    private static final short VERSION = 0;

    private final Socket socket;
    private final String clientId;
    private GetTelemetrySubscriptionsResponse told;

    /** Connects to a broker on this machine that speaks in the clear. */
    RawClient(int port, String clientId) throws IOException {
        this.socket = new Socket("127.0.0.1", port);
        this.socket.setSoTimeout(PATIENCE_MILLIS);
        // Otherwise a request waits 40 ms, until the broker's host has acknowledged its length.
        this.socket.setTcpNoDelay(true);
        this.clientId = clientId;
    }

    /**
     * Pushes once, as a new client instance.
     *
     * @param compression id of it, as in Kafka's protocol
     * @return what the broker says
     */
    Errors push(byte compression, byte[] bytes) throws IOException {
        GetTelemetrySubscriptionsRequestData asked =
                new GetTelemetrySubscriptionsRequestData().setClientInstanceId(Uuid.ZERO_UUID);
        AbstractResponse answered = ask(new GetTelemetrySubscriptionsRequest.Builder(asked, true).build(VERSION));
        told = (GetTelemetrySubscriptionsResponse) answered;
        return pushAgain(compression, bytes);
    }

    /** Pushes once more, as the same client instance. */
    Errors pushAgain(byte compression, byte[] bytes) throws IOException {
        PushTelemetryRequestData data = new PushTelemetryRequestData()
                .setClientInstanceId(told.data().clientInstanceId())
                .setSubscriptionId(told.data().subscriptionId())
                .setCompressionType(compression)
                .setMetrics(ByteBuffer.wrap(bytes));
        AbstractResponse answer = ask(new PushTelemetryRequest.Builder(data, true).build(VERSION));
        return ((PushTelemetryResponse) answer).error();
    }

    /**
     * Pushes null instead of bytes, as librdkafka did up to 2.10.0 when it had no metric of those
     * asked for.
     *
     * @throws IOException when the broker closes the connection
     */
    void pushNull() throws IOException {
        PushTelemetryRequest request =
                new PushTelemetryRequest.Builder(new PushTelemetryRequestData(), true).build(VERSION);
        RequestHeader header = new RequestHeader(request.apiKey(), VERSION, clientId, 1);
        ByteBuffer whole = request.serializeWithHeader(header);
        // Before the count of tagged fields stands the length of the bytes and one; 0 is null.
        whole.put(whole.limit() - 2, (byte) 0);
        ask(header, whole);
    }

    private AbstractResponse ask(AbstractRequest request) throws IOException {
        RequestHeader header = new RequestHeader(request.apiKey(), VERSION, clientId, 1);
        return ask(header, request.serializeWithHeader(header));
    }

    private AbstractResponse ask(RequestHeader header, ByteBuffer whole) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(whole.remaining());
        out.write(whole.array(), whole.arrayOffset() + whole.position(), whole.remaining());
        out.flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = in.readNBytes(in.readInt());
        return AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
