# كلمات الإطار والأجزاء المشتركة بين الصفحات.

shell-name = مختبر فك الترميز
lang = اللغة
lang-en = English
lang-ar = العربية
lang-fa = فارسی

section-start = البداية
section-numbers = الأعداد والمجاميع
section-batch = الدفعة والرمز
section-repair = الإصلاح
section-speculation = فك الترميز التخميني

machine-title = النموذج والجهاز
model = النموذج
    .help = بهذا النموذج تُجرى عمليات التشغيل الحيّة. أما السجلات المُسجَّلة فتذكر نموذجها.
device = الجهاز
    .help = الخيار التلقائي يأخذ جهاز CUDA إن وُجد، وإلا MPS، وإلا المعالج CPU.
device-auto = تلقائي
machine-threads = { $threads ->
    [one] تحسب torch بخيط واحد.
    [two] تحسب torch بخيطين.
    [few] تحسب torch بـ{ $threads } خيوط.
   *[other] تحسب torch بـ{ $threads } خيطًا.
}

link-copy = انسخ الرابط
link-copied = نُسخ الرابط
link-shown = انسخ هذا الرابط:

error-title = لا يمكن التشغيل.

run = شغِّل
stop = أوقِف
run-forget = اعرض السجل المُسجَّل
run-loading = يجري تحميل النموذج…
run-progress = الخطوة { $done } من { $total }
run-stopped = توقّف التشغيل عند الخطوة { $done } من { $total }.
run-stale = تغيّرت الإعدادات بعد هذا التشغيل. اضغط «شغِّل» للتشغيل بالإعدادات الجديدة.

origin-recorded = مُسجَّل
origin-live = حيّ
origin = { $model } · { $machine } · { $date } · الشيفرة { $code }

notice = ما ينبغي ملاحظته
try-this = جرِّب هذا
formula = المعادلة وشيفرتها

download-csv = CSV
download-jsonl = JSONL

token-plain = الرمز { $position }
token-agree = الرمز { $position }، متطابق
token-flip = الرمز { $position }، انقلاب
token-prompt = الرمز { $position }، من المُدخَل
