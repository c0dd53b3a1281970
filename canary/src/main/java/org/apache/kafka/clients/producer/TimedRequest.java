/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;

/** Stamps one produce request and then lets the producer handle the answer. */
final class TimedRequest implements RequestCompletionHandler {

    private final TimingClient client;
    private final String nodeId;
    private final AbstractRequest.Builder<?> builder;
    private final RequestCompletionHandler handler;
    private long sequence;
    private int outstanding;
    private long dispatched;

    TimedRequest(
            TimingClient client, String nodeId, AbstractRequest.Builder<?> builder, RequestCompletionHandler handler) {
        this.client = client;
        this.nodeId = nodeId;
        this.builder = builder;
        this.handler = handler;
    }

    void dispatched() {
        TimingClient.Connection connection = client.connection(nodeId);
        sequence = connection.dispatched++;
        outstanding = connection.outstanding++;
        dispatched = client.nanoClock.getAsLong();
    }

    @Override
    public void onComplete(ClientResponse response) {
        long completed = client.nanoClock.getAsLong();
        client.connection(nodeId).outstanding--;
        boolean answered = !response.wasDisconnected() && !response.wasTimedOut() && response.versionMismatch() == null;
        Dispatch dispatch =
                new Dispatch(Integer.parseInt(nodeId), sequence, outstanding, dispatched, completed, answered);
        report(() -> reportFailures(response, dispatch));
        report(() -> reportThrottle(response));
        client.completing = new TimingClient.Completing(Thread.currentThread(), dispatch);
        try {
            handler.onComplete(response);
        } finally {
            client.completing = null;
            report(() -> client.attempts.completed(dispatch));
        }
    }

    /** A listener must not break the producer: what it throws is reported to it. */
    private void report(Runnable reporting) {
        try {
            reporting.run();
        } catch (RuntimeException e) {
            client.attempts.faulted(e);
        }
    }

    private void reportFailures(ClientResponse response, Dispatch dispatch) {
        if (!dispatch.answered()) {
            tellAll(null, dispatch);
        } else if (response.responseBody() instanceof ProduceResponse produced && anyFailed(produced)) {
            tellAll(produced, dispatch);
        }
    }

    private void reportThrottle(ClientResponse response) {
        if (response.responseBody() instanceof ProduceResponse produced && produced.throttleTimeMs() > 0) {
            client.attempts.throttled(produced.throttleTimeMs());
        }
    }

    private static boolean anyFailed(ProduceResponse response) {
        return response.data().responses().stream()
                .flatMap(topic -> topic.partitionResponses().stream())
                .anyMatch(partition -> partition.errorCode() != Errors.NONE.code());
    }

    /** Reads the records of the request: this costs something, but is rare. */
    private void tellAll(ProduceResponse response, Dispatch dispatch) {
        ProduceRequestData data = ((ProduceRequest) builder.build(builder.latestAllowedVersion())).data();
        for (ProduceRequestData.TopicProduceData topic : data.topicData()) {
            for (ProduceRequestData.PartitionProduceData partition : topic.partitionData()) {
                if (response != null && !failed(response, topic, partition.index())) {
                    continue;
                }
                for (Record record : ((MemoryRecords) partition.records()).records()) {
                    client.attempts.attemptFailed(partition.index(), record.value(), dispatch);
                }
            }
        }
    }

    private static boolean failed(ProduceResponse response, ProduceRequestData.TopicProduceData sent, int partition) {
        // Newer brokers answer by topic id, older ones by name.
        return response.data().responses().stream()
                .filter(topic ->
                        topic.topicId().equals(sent.topicId()) || topic.name().equals(sent.name()))
                .flatMap(topic -> topic.partitionResponses().stream())
                .anyMatch(answer -> answer.index() == partition && answer.errorCode() != Errors.NONE.code());
    }
}
