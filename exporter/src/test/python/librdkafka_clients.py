"""A producer and a consumer of librdkafka that work until standard input ends. Usage: BOOTSTRAP TOPIC"""

import sys
import threading

from confluent_kafka import Consumer, Producer, libversion

bootstrap, topic = sys.argv[1:]
print("librdkafka", libversion()[0], flush=True)

done = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()

producer = Producer({"bootstrap.servers": bootstrap, "client.id": "rd-producer", "linger.ms": 0})
consumer = Consumer(
    {
        "bootstrap.servers": bootstrap,
        "client.id": "rd-consumer",
        "group.id": "rd-readers",
        "auto.offset.reset": "earliest",
    }
)
consumer.subscribe([topic])
while not done.is_set():
    producer.produce(topic, b"x" * 200)
    producer.poll(0)
    consumer.poll(0.05)
producer.flush(10)
consumer.close()
